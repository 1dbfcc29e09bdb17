import { parseOptions } from '../../../agent/stand-in/options.js';
import { type CliCall, plainStandIn } from '../../../agent/stand-in/plain-stand-in.js';
import { readPromptArgument } from '../../../agent/stand-in/prompt-argument.js';
import { inScriptedLane, refuseUnplayed } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import type { Failure } from '../../../domain/agent-script.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { describeServiceFailure, lastMessagePrinter } from '../../last-message-printer.js';

/** Codex: `codex exec --yolo PROMPT`; its last message on stdout, errors on stderr. */
export const codexStandIn = plainStandIn('codex', (around, loggedIn): CliCall => {
  const [command, ...rest] = around.argv;
  switch (command) {
    case '--version':
    case '-V':
      return { kind: 'print', text: `codex-cli ${standInVersion('codex')}`, exitCode: 0 };
    case 'login':
      if (rest[0] !== 'status') return notPlayed(`"login ${rest[0] ?? ''}"`);
      return loggedIn
        ? { kind: 'print', text: 'API key configured - stand-in', exitCode: 0, stream: 'stderr' }
        : { kind: 'print', text: 'Not logged in', exitCode: 1, stream: 'stderr' };
    case 'exec':
    case 'e':
      return interpretExec(rest, around);
    default:
      return notPlayed(`"${command ?? ''}": expected exec, login status or --version`);
  }
});

function interpretExec(argv: readonly string[], { write }: Surroundings): CliCall {
  const { unknown, flags, values, given, positionals } = parseOptions(argv, {
    flags: [
      // Not in its help, but accepted, and Ralph passes it.
      '--yolo',
      ...['--dangerously-bypass-approvals-and-sandbox', '--skip-git-repo-check', '--ephemeral', '--json'],
      ...['--ignore-user-config', '--ignore-rules', '--strict-config'],
    ],
    values: ['--model', '-m', '--config', '-c', '--enable', '--disable', '--profile', '-p', '--color'],
  });
  if (unknown !== null) {
    const message = `error: unexpected argument '${unknown}' found\n\nUsage: codex exec [OPTIONS] [PROMPT]\n\nFor more information, try '--help'.`;
    return { kind: 'refuse', message, exitCode: 2 };
  }
  if (flags.has('--json')) return notPlayed('--json');
  if (!flags.has('--yolo') && !flags.has('--dangerously-bypass-approvals-and-sandbox'))
    return notPlayed('its sandbox (use --yolo)');
  const [prompt] = positionals;
  if (prompt === undefined || prompt === '-') return notPlayed('a prompt on stdin (pass it as an argument)');
  const model = values.get('--model') ?? values.get('-m');
  return {
    kind: 'prompt',
    ...readPromptArgument(prompt),
    ...(model === undefined ? {} : { model }),
    flags: given,
    printer: lastMessagePrinter(write, { describeFailure: describeTwice, keepsEarlier: true }),
  };
}

function notPlayed(what: string): CliCall {
  return refuseUnplayed('codex', what, inScriptedLane('Codex'));
}

/** A line when it happens, and one as the result of the turn. */
function describeTwice(failure: Failure): string {
  const line = `ERROR: unexpected status ${describeServiceFailure(failure)}`;
  return `${line}\n${line}`;
}
