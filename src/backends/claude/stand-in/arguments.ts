import { type OptionTable, parseOptions } from '../../../agent/stand-in/options.js';
import { inScriptedLane, refuseUnplayed } from '../../../agent/stand-in/run-stand-in.js';

export const PERMISSION_MODES = ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'plan'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export type OutputFormat = 'text' | 'json' | 'stream-json';

/** Parsed arguments that the real program accepts and the stand-in supports. */
export interface ClaudeArguments {
  readonly prompt: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly inputFormat: 'text' | 'stream-json';
  readonly verbose: boolean;
  readonly model: string | undefined;
  readonly mode: PermissionMode | undefined;
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
  readonly settings: readonly string[];
  readonly settingSources: readonly string[];
  readonly sessionId: string | undefined;
  readonly resume: string | undefined;
  readonly continues: boolean;
  readonly maxTurns: number | undefined;
  readonly systemPrompt: string;
  /** The agent that answers. */
  readonly agent: string | undefined;
  readonly pluginDirs: readonly string[];
  readonly hookEvents: boolean;
  readonly replaysUser: boolean;
  readonly given: readonly string[];
}

/** A call that is refused before anything plays, with the real program's message or, for exit 70, with ours. */
export interface RefusedCall {
  readonly message: string;
  readonly exitCode: number;
}

/** Parses the arguments of a call in print mode. */
export function readArguments(argv: readonly string[]): ClaudeArguments | RefusedCall {
  const dashes = argv.indexOf('--');
  const words = argv.map((word, index) => (dashes >= 0 && index > dashes ? word : toLongName(word)));
  const { flags, values, lists, positionals, given, unknown } = parseOptions(words, OPTIONS);
  if (unknown !== null) return notPlayed(unknown);
  const last = words.at(-1) ?? '';
  const needsValue = [...OPTIONS.values, ...(OPTIONS.lists ?? [])];
  if (dashes < 0 && needsValue.includes(last) && !needsValue.includes(words.at(-2) ?? ''))
    return notPlayed(`${last} without a value`);
  const invalid = [...VALUES].find(([name, fits]) => values.has(name) && !fits.test(values.get(name) ?? ''));
  if (invalid !== undefined) return notPlayed(`${invalid[0]} ${values.get(invalid[0])}`);
  if (flags.has('--resume')) return notPlayed('--resume without a session');
  if (!flags.has('--print')) {
    const [word] = positionals[0]?.trim().split(/\s/) ?? [];
    const what = word === undefined ? '' : `"${word}" without --print: `;
    return notPlayed(`${what}the interactive screen and other commands`);
  }
  const mode = flags.has('--dangerously-skip-permissions')
    ? 'bypassPermissions'
    : toMode(values.get('--permission-mode'));
  // In the settings, `Bash()` has no effect, but here it names the whole tool.
  const list = (name: string) =>
    (lists.get(name) ?? []).flatMap((value) => splitRules(value)).map((rule) => rule.replace(/\(\)$/, ''));
  const format = values.get('--output-format');
  if (format === 'json' && flags.has('--verbose')) return notPlayed('--output-format=json with --verbose');
  return {
    prompt: positionals[0],
    outputFormat: format === 'json' || format === 'stream-json' ? format : 'text',
    inputFormat: values.get('--input-format') === 'stream-json' ? 'stream-json' : 'text',
    verbose: flags.has('--verbose'),
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
    continues: flags.has('--continue'),
    // 0 is no limit.
    maxTurns: Number(values.get('--max-turns') ?? 0) === 0 ? undefined : Number(values.get('--max-turns')),
    systemPrompt: [values.get('--system-prompt'), values.get('--append-system-prompt')]
      .filter((text) => text !== undefined)
      .join('\n'),
    pluginDirs: lists.get('--plugin-dir') ?? [],
    hookEvents: flags.has('--include-hook-events'),
    replaysUser: flags.has('--replay-user-messages'),
    given,
  };
}

/** Its safety check runs on Anthropic's servers. */
export const AUTO_MODE = 'the permission mode auto';

/** Refuses what the stand-in does not support, instead of pretending. */
export function notPlayed(what: string): RefusedCall {
  return refuseUnplayed('claude', what, inScriptedLane('Claude Code'));
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
    ...['--replay-user-messages', '--continue'],
  ],
  values: [
    ...['--output-format', '--input-format', '--setting-sources', '--settings', '--model', '--session-id'],
    ...['--permission-mode', '--max-turns', '--system-prompt', '--append-system-prompt', '--plugin-dir'],
    '--agent',
  ],
  lists: ['--allowedTools', '--disallowedTools'],
  optionals: ['--resume'],
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

const SHORT_NAMES: Readonly<Record<string, string>> = {
  '-p': '--print',
  '-c': '--continue',
  '-r': '--resume',
  '--allowed-tools': '--allowedTools',
  '--disallowed-tools': '--disallowedTools',
};

/** Returns an option by its long name. */
function toLongName(word: string): string {
  const [name = '', ...rest] = word.split('=');
  const long = SHORT_NAMES[name];
  return long === undefined ? word : [long, ...rest].join('=');
}
