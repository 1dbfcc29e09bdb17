import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { HOOK_PHASES, type HookPhase } from '../../domain/evidence/ralph-words.js';
import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, parseArgs, readOption } from '../argv.js';
import { findProgram } from '../backend/exec-format.js';
import type { RalphConfig } from '../config/config.js';
import { describeSources, loadConfig } from '../config/load.js';
import { findProblem } from '../config/validate.js';
import { toFailure, UsageError } from '../failure.js';
import type { HookConfig } from '../hooks/config.js';
import { createLog } from '../log.js';

const SPEC: CommandSpec = {
  usage: 'ralph hooks validate [OPTIONS]',
  options: [{ long: 'format', value: 'FORMAT', choices: ['human', 'json'] }],
};

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly phase_event?: string;
  readonly hook?: string;
  readonly command?: string | undefined;
}

interface Report {
  readonly pass: boolean;
  readonly source: string;
  readonly hooks_enabled: boolean;
  readonly checked_hooks: number;
  readonly diagnostics: readonly Finding[];
}

/** `ralph hooks`: checks the hooks of the configuration without running them. */
export async function hooksCommand(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name !== 'validate') {
    const usage = 'Usage: ralph hooks [OPTIONS] <COMMAND>\n\nCommands: validate';
    throw new UsageError(name === undefined ? usage : `error: unrecognized subcommand '${name}'\n\n${usage}`);
  }
  const args = parseArgs(rest, SPEC);
  if (args.values.has('help')) {
    writeOutput('stdout', `Check hooks and the commands that they run\n\nUsage: ${SPEC.usage}\n`);
    return 0;
  }
  const report = await inspect(args.values.get('config') ?? [], readOption(args, 'hats'));
  const json = readOption(args, 'format') === 'json';
  writeOutput('stdout', json ? `${JSON.stringify(report, null, 2)}\n` : render(report));
  return report.pass ? 0 : 1;
}

async function inspect(sources: readonly string[], hats: string | undefined): Promise<Report> {
  const workspace = process.cwd();
  const source = describeSources(sources, hats);
  let config: RalphConfig;
  try {
    config = await loadConfig(sources, hats, createLog({ verbose: false, headless: true, workspace }));
  } catch (error) {
    const failure = toFailure(error);
    if (failure === undefined) throw error;
    const diagnostics = [{ code: 'config.load', message: failure.message }];
    return { pass: false, source, hooks_enabled: false, checked_hooks: 0, diagnostics };
  }
  const problem = findProblem(config);
  const phases = [...HOOK_PHASES].sort();
  const hooksOf = (phase: HookPhase) => config.hooks.events[phase] ?? [];
  const diagnostics = [
    ...(problem === undefined ? [] : [{ code: 'hooks.semantic', message: problem }]),
    ...phases.flatMap((phase) => findDuplicates(phase, hooksOf(phase))),
    ...phases.flatMap((phase) => hooksOf(phase).flatMap((hook) => findMissing(phase, hook, workspace))),
  ];
  return {
    pass: diagnostics.length === 0,
    source,
    hooks_enabled: config.hooks.enabled,
    checked_hooks: phases.reduce((count, phase) => count + hooksOf(phase).length, 0),
    diagnostics,
  };
}

function findDuplicates(phase: HookPhase, hooks: readonly HookConfig[]): readonly Finding[] {
  const seen = new Map<string, number>();
  return hooks.flatMap((hook, index) => {
    const name = hook.name.trim();
    const first = seen.get(name);
    seen.set(name, index);
    if (name === '' || first === undefined) return [];
    const message = `Duplicate hook name '${name}' in phase-event '${phase}': indices [${first}] and [${index}]. Hook names must be unique per phase-event.`;
    return [
      { code: 'hooks.duplicate_name', message, phase_event: phase, hook: name, command: hook.command[0] },
    ];
  });
}

const FIX =
  "Fix: ensure command exists and is executable, or invoke the script through an interpreter (for example: ['bash', 'script.sh']).";

function findMissing(phase: HookPhase, hook: HookConfig, workspace: string): readonly Finding[] {
  const command = (hook.command[0] ?? '').trim();
  const cwd = resolve(workspace, hook.cwd ?? '.');
  const path = hook.env.PATH ?? hook.env.Path ?? process.env.PATH ?? '';
  if (command === '' || findProgram(command, path, cwd) !== undefined) return [];
  const message = `${explain(command, cwd, hook)}\n${FIX}`;
  return [{ code: 'hooks.command_resolvable', message, phase_event: phase, hook: hook.name.trim(), command }];
}

function explain(command: string, cwd: string, { env }: HookConfig): string {
  if (!command.includes('/')) {
    const own = env.PATH !== undefined || env.Path !== undefined;
    return `Command '${command}' was not found in ${own ? 'hook env PATH' : 'process PATH'}.`;
  }
  // The real Ralph joins paths without normalizing: `./x` stays `<cwd>/./x`.
  const path = command.startsWith('/') ? command : `${cwd}/${command}`;
  const why = existsSync(path) ? 'it is not executable' : 'the file does not exist';
  return `Command '${command}' resolves to '${path}' but ${why}.`;
}

function render({ source, hooks_enabled, checked_hooks, diagnostics, pass }: Report): string {
  const found = diagnostics.flatMap(({ code, message, phase_event, hook, command }) => [
    `  FAIL ${code}: ${message.replaceAll('\n', '\n       ')}`,
    ...(phase_event === undefined ? [] : [`       phase_event: ${phase_event}`]),
    ...(hook === undefined ? [] : [`       hook: ${hook}`]),
    ...(command === undefined ? [] : [`       command: ${command}`]),
  ]);
  return [
    `Hooks validation for ${source}`,
    '',
    `Hooks enabled: ${hooks_enabled}`,
    `Hooks checked: ${checked_hooks}`,
    ...(found.length === 0 ? ['Diagnostics: none'] : ['Diagnostics:', ...found]),
    '',
    `Result: ${pass ? 'PASS' : `FAIL (${diagnostics.length} issue(s))`}`,
    '',
  ].join('\n');
}
