import { type OptionTable, parseOptions } from '../../../agent/stand-in/options.js';
import { inScriptedLane, NotPlayed } from '../../../agent/stand-in/run-stand-in.js';

export const PERMISSION_MODES = ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'plan'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** Parsed arguments that the real program accepts and the stand-in supports. */
export interface ClaudeArguments {
  readonly prompt: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: 'text' | 'stream-json';
  readonly model: string | undefined;
  readonly mode: PermissionMode | undefined;
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
  readonly settings: readonly string[];
  readonly settingSources: readonly string[];
  readonly sessionId: string | undefined;
  readonly resume: string | undefined;
  readonly maxTurns: number | undefined;
  readonly systemPrompt: string;
  /** The agent that answers. */
  readonly agent: string | undefined;
  readonly pluginDirs: readonly string[];
  readonly hookEvents: boolean;
  readonly replaysUser: boolean;
  readonly given: readonly string[];
}

/** A call that the real program refuses, with its message. */
export class Refused extends Error {}

/** Parses the arguments of a call in print mode. */
export function readArguments(argv: readonly string[]): ClaudeArguments {
  const { flags, values, lists, positionals, given } = parseOptions(argv, OPTIONS, notPlayed);
  const invalid = [...VALUES].find(([name, fits]) => values.has(name) && !fits.test(values.get(name) ?? ''));
  if (invalid !== undefined) throw notPlayed(`${invalid[0]} ${values.get(invalid[0])}`);
  if (!flags.has('--print')) {
    const [word] = positionals[0]?.trim().split(/\s/) ?? [];
    const what = word === undefined ? '' : `"${word}" without --print: `;
    throw notPlayed(`${what}the interactive screen and other commands`);
  }
  const mode = flags.has('--dangerously-skip-permissions')
    ? 'bypassPermissions'
    : toMode(values.get('--permission-mode'));
  // In the settings, `Bash()` has no effect, but here it names the whole tool.
  const list = (name: string) =>
    (lists.get(name) ?? []).flatMap((value) => splitRules(value)).map((rule) => rule.replace(/\(\)$/, ''));
  const [input = 'text', output = 'text'] = ['--input-format', '--output-format'].map((name) =>
    values.get(name),
  );
  const isStream = output === 'stream-json';
  const takesStream = input === 'stream-json';
  const replaysUser = flags.has('--replay-user-messages');
  if (flags.has('--verbose') !== isStream && output !== 'text')
    throw notPlayed(`--output-format=${output} ${isStream ? 'without' : 'with'} --verbose`);
  if (takesStream && !isStream)
    throw notPlayed('--input-format=stream-json without --output-format=stream-json');
  if (replaysUser && !takesStream)
    throw notPlayed('--replay-user-messages without --input-format=stream-json');
  return {
    prompt: positionals[0],
    outputFormat: isStream || output === 'json' ? output : 'text',
    inputFormat: takesStream ? input : 'text',
    model: values.get('--model'),
    mode,
    allowed: list('--allowedTools'),
    disallowed: list('--disallowedTools'),
    settings: lists.get('--settings') ?? [],
    settingSources: (values.get('--setting-sources') ?? 'user,project,local')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    agent: values.get('--agent'),
    sessionId: values.get('--session-id'),
    resume: values.get('--resume'),
    // 0 is no limit.
    maxTurns: Number(values.get('--max-turns') ?? 0) === 0 ? undefined : Number(values.get('--max-turns')),
    systemPrompt: [values.get('--system-prompt'), values.get('--append-system-prompt')]
      .filter((text) => text !== undefined)
      .join('\n'),
    pluginDirs: lists.get('--plugin-dir') ?? [],
    hookEvents: flags.has('--include-hook-events'),
    replaysUser,
    given,
  };
}

/** Makes the error that refuses what the stand-in does not support, instead of pretending. */
export function notPlayed(what: string): NotPlayed {
  return new NotPlayed('claude', what, inScriptedLane('Claude Code'));
}

/** `manual` is the new name of the mode that the program itself still calls `default`. */
function toMode(value: string | undefined): PermissionMode | undefined {
  switch (value) {
    case 'acceptEdits':
    case 'bypassPermissions':
    case 'dontAsk':
    case 'plan':
      return value;
    case 'default':
    case 'manual':
      return 'default';
    default:
      return undefined;
  }
}

/** Splits rules at commas and spaces, except inside parentheses. One that is never closed belongs to a rule that fits nothing. */
function splitRules(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\)?)?/g) ?? [];
}

/** The options of the print mode that are played. */
const OPTIONS: OptionTable = {
  flags: [
    ...['--print', '--verbose', '--dangerously-skip-permissions', '--include-hook-events'],
    '--replay-user-messages',
  ],
  values: [
    ...['--output-format', '--input-format', '--setting-sources', '--settings', '--model', '--session-id'],
    ...['--permission-mode', '--max-turns', '--system-prompt', '--append-system-prompt', '--plugin-dir'],
    ...['--agent', '--resume'],
  ],
  lists: ['--allowedTools', '--disallowedTools'],
  spellings: {
    '-p': '--print',
    '-r': '--resume',
    '--allowed-tools': '--allowedTools',
    '--disallowed-tools': '--disallowedTools',
  },
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The values of options that take only a few. */
const VALUES: ReadonlyMap<string, RegExp> = new Map([
  ['--permission-mode', /^(?:acceptEdits|bypassPermissions|manual|default|dontAsk|plan)$/],
  ['--output-format', /^(?:text|json|stream-json)$/],
  ['--input-format', /^(?:text|stream-json)$/],
  ['--max-turns', /^\d*$/],
  ['--setting-sources', /^(?:user|project|local|[ ,])*$/],
  // Titles of sessions are not kept.
  ['--session-id', UUID],
  ['--resume', UUID],
]);
