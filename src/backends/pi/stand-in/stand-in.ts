import { parseOptions } from '../../../agent/stand-in/options.js';
import { type CliCall, plainStandIn } from '../../../agent/stand-in/plain-stand-in.js';
import { readPromptArgument } from '../../../agent/stand-in/prompt-argument.js';
import { inScriptedLane, refuseUnplayed } from '../../../agent/stand-in/run-stand-in.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { describeServiceFailure, lastMessagePrinter } from '../../last-message-printer.js';
import { piJsonPrinter, sessionLine } from './json-printer.js';

/** pi: `pi -p --mode json --no-session PROMPT`; a line of JSON per event, or only its last message as text. */
export const piStandIn = plainStandIn('pi', (around, loggedIn): CliCall => {
  const { unknown, flags, values, given, positionals } = parseOptions(around.argv, {
    flags: [
      ...['--print', '-p', '--no-session', '--version', '-v', '--verbose', '--offline'],
      ...['--no-extensions', '-ne', '--no-skills', '-ns', '--no-prompt-templates', '-np'],
      ...['--no-themes', '--no-context-files', '-nc', '--continue', '-c', '--resume', '-r'],
    ],
    values: ['--mode', '--model', '--provider', '--api-key', '--system-prompt', '--thinking', '--session'],
    optionals: ['--list-models'],
  });
  if (unknown !== null) return { kind: 'refuse', message: `Error: Unknown option: ${unknown}`, exitCode: 1 };
  // Both go to stderr: without a screen pi keeps stdout for the answer.
  if (flags.has('--version') || flags.has('-v')) return onStderr(standInVersion('pi'));
  if (given.includes('--list-models')) return onStderr(loggedIn ? MODELS : NO_MODELS);
  if (!flags.has('--print') && !flags.has('-p')) return notPlayed('the interactive screen (use -p)');
  const unplayed = ['--continue', '-c', '--resume', '-r', '--session'].find((name) => given.includes(name));
  if (unplayed !== undefined) return notPlayed(unplayed);
  const mode = values.get('--mode') ?? 'text';
  if (mode !== 'json' && mode !== 'text') return notPlayed(`--mode ${mode}`);
  const [first] = positionals;
  if (first === undefined || positionals.length > 1)
    return notPlayed(first === undefined ? 'a call without a prompt' : 'several prompts in one call');
  const prompt = readPromptArgument(first);
  if (!loggedIn) {
    if (mode === 'json') around.write('stdout', sessionLine(around.cwd));
    return { kind: 'refuse', message: 'No API key found for the selected model.', exitCode: 1 };
  }
  const model = values.get('--model');
  return {
    kind: 'prompt',
    ...prompt,
    ...(model === undefined ? {} : { model }),
    flags: given,
    printer:
      mode === 'json'
        ? piJsonPrinter(around, model)
        : lastMessagePrinter(around.write, { describeFailure: describeServiceFailure, keepsEarlier: false }),
  };
});

const MODELS = `provider  model           context  max-out  thinking  images
stand-in  scripted-model  200K     8.2K     no        no`;
const NO_MODELS = 'No models available. Use /login to log into a provider via OAuth or API key.';

function onStderr(text: string): CliCall {
  return { kind: 'print', text, exitCode: 0, stream: 'stderr' };
}

function notPlayed(what: string): CliCall {
  return refuseUnplayed('pi', what, inScriptedLane('pi'));
}
