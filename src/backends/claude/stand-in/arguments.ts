import { inScriptedLane, refuseUnplayed } from '../../../agent/face/not-played.js';
import { type OptionTable, parseOptions } from '../../../agent/face/options.js';

export type PermissionMode = 'acceptEdits' | 'auto' | 'bypassPermissions' | 'default' | 'dontAsk' | 'plan';

/** What the argument vector asks for, once it is known to be one that the real program takes and we play. */
export interface ClaudeArguments {
  readonly prompt: string | undefined;
  readonly outputFormat: 'text' | 'json' | 'stream-json';
  readonly inputFormat: 'text' | 'stream-json';
  readonly verbose: boolean;
  readonly model: string | undefined;
  readonly mode: PermissionMode | undefined;
  /** Asks for a mode, or for the right to change to one, in which nothing is asked. */
  readonly skipsPermissions: boolean;
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
  readonly settings: readonly string[];
  readonly settingSources: readonly string[];
  readonly sessionId: string | undefined;
  /** The session to go on with; `true` when none is named. */
  readonly resume: string | true | undefined;
  readonly continues: boolean;
  readonly forks: boolean;
  readonly persists: boolean;
  readonly maxTurns: number | undefined;
  readonly systemPrompt: string;
  readonly pluginDirs: readonly string[];
  readonly addDirs: readonly string[];
  readonly partialMessages: boolean;
  readonly hookEvents: boolean;
  readonly replaysUser: boolean;
  readonly given: readonly string[];
}

/** A call that ends before anything is played, in the words of the real program or, with exit 70, in ours. */
export interface RefusedCall {
  readonly message: string;
  readonly exitCode: number;
}

/** Reads the argument vector of a call in print mode. */
export function readArguments(argv: readonly string[]): ClaudeArguments | RefusedCall {
  const { flags, values, lists, positionals, given, unknown } = parseOptions(argv.map(toLongName), OPTIONS);
  if (unknown !== null) return { message: `error: unknown option '${unknown}'`, exitCode: 1 };
  const wrong = CHOICES.map(([name, label, allowed, said]) => {
    const value = values.get(name);
    return value === undefined || allowed.includes(value)
      ? null
      : `error: option '${label}' argument '${value}' is invalid. Allowed choices are ${said.join(', ')}.`;
  }).find((message) => message !== null);
  if (wrong !== undefined && wrong !== null) return { message: wrong, exitCode: 1 };
  const unplayed = NOT_PLAYED.find((name) => given.includes(name));
  if (unplayed !== undefined) return notPlayed(unplayed);
  if (!flags.has('--print')) return notPlayed('the interactive screen (it can be called with --print)');
  const servers = (lists.get('--mcp-config') ?? []).find(
    (config) => !/"mcpServers"\s*:\s*\{\s*\}/.test(config),
  );
  if (servers !== undefined) return notPlayed('MCP servers (--mcp-config)');
  const mode = flags.has('--dangerously-skip-permissions')
    ? 'bypassPermissions'
    : toMode(values.get('--permission-mode'));
  const list = (name: string) => (lists.get(name) ?? []).flatMap((value) => splitRules(value));
  const format = values.get('--output-format');
  return {
    prompt: positionals[0],
    outputFormat: format === 'json' || format === 'stream-json' ? format : 'text',
    inputFormat: values.get('--input-format') === 'stream-json' ? 'stream-json' : 'text',
    verbose: flags.has('--verbose'),
    model: values.get('--model'),
    mode,
    skipsPermissions: mode === 'bypassPermissions' || flags.has('--allow-dangerously-skip-permissions'),
    allowed: list('--allowedTools'),
    disallowed: list('--disallowedTools'),
    settings: lists.get('--settings') ?? [],
    settingSources: (values.get('--setting-sources') ?? 'user,project,local')
      .split(',')
      .map((name) => name.trim()),
    sessionId: values.get('--session-id'),
    resume: flags.has('--resume') ? true : values.get('--resume'),
    continues: flags.has('--continue'),
    forks: flags.has('--fork-session'),
    persists: !flags.has('--no-session-persistence'),
    maxTurns: values.has('--max-turns') ? Number(values.get('--max-turns')) : undefined,
    systemPrompt: [values.get('--system-prompt'), values.get('--append-system-prompt')]
      .filter((text) => text !== undefined)
      .join('\n'),
    pluginDirs: lists.get('--plugin-dir') ?? [],
    addDirs: lists.get('--add-dir') ?? [],
    partialMessages: flags.has('--include-partial-messages'),
    hookEvents: flags.has('--include-hook-events'),
    replaysUser: flags.has('--replay-user-messages'),
    given,
  };
}

/** The sentence about what the stand-in does not play: it never pretends. */
export function notPlayed(what: string): RefusedCall {
  return refuseUnplayed('claude', what, inScriptedLane('Claude Code'));
}

const OPTIONS: OptionTable = {
  flags: [
    ...['--print', '--verbose', '--dangerously-skip-permissions', '--allow-dangerously-skip-permissions'],
    ...['--continue', '--fork-session', '--no-session-persistence', '--include-partial-messages'],
    ...['--include-hook-events', '--replay-user-messages', '--strict-mcp-config', '--disable-slash-commands'],
    ...[
      '--bare',
      '--brief',
      '--safe-mode',
      '--restricted',
      '--ide',
      '--chrome',
      '--no-chrome',
      '--desktop',
      '--tmux',
    ],
    ...[
      '--background',
      '--exclude-dynamic-system-prompt-sections',
      '--forward-subagent-text',
      '--ax-screen-reader',
    ],
  ],
  values: [
    ...[
      '--output-format',
      '--input-format',
      '--setting-sources',
      '--settings',
      '--model',
      '--permission-mode',
    ],
    ...[
      '--session-id',
      '--max-turns',
      '--system-prompt',
      '--append-system-prompt',
      '--plugin-dir',
      '--plugin-url',
    ],
    ...[
      '--agent',
      '--agents',
      '--json-schema',
      '--max-budget-usd',
      '--fallback-model',
      '--effort',
      '--debug-file',
    ],
    ...['--name', '--permission-prompt-tool', '--permission-prompts', '--autocompact', '--environment'],
    ...['--system-prompt-snapshot', '--remote-control-session-name-prefix'],
  ],
  lists: ['--allowedTools', '--disallowedTools', '--tools', '--add-dir', '--mcp-config', '--betas', '--file'],
  optionals: [
    ...['--resume', '--debug', '--worktree', '--cloud', '--from-pr', '--remote-control', '--teleport'],
    ...['--prompt-suggestions'],
  ],
};

/** Options of the real program whose effect we do not play. Those that change nothing for a script are just taken. */
const NOT_PLAYED = [
  ...[
    '--agent',
    '--agents',
    '--json-schema',
    '--max-budget-usd',
    '--permission-prompt-tool',
    '--permission-prompts',
  ],
  ...[
    '--plugin-url',
    '--tools',
    '--bare',
    '--safe-mode',
    '--restricted',
    '--ide',
    '--chrome',
    '--desktop',
    '--tmux',
  ],
  ...[
    '--background',
    '--worktree',
    '--cloud',
    '--from-pr',
    '--remote-control',
    '--teleport',
    '--environment',
    '--file',
  ],
  ...['--disable-slash-commands', '--prompt-suggestions'],
];

const MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'manual', 'dontAsk', 'plan'];

/** Name, as the message shows it, what is taken, what the message says is taken. */
const CHOICES: readonly [string, string, readonly string[], readonly string[]][] = [
  ['--permission-mode', '--permission-mode <mode>', [...MODES, 'default'], MODES],
  ...(['--output-format', '--input-format'] as const).map(
    (name): [string, string, readonly string[], readonly string[]] => {
      const formats = name === '--output-format' ? ['text', 'json', 'stream-json'] : ['text', 'stream-json'];
      return [name, `${name} <format>`, formats, formats];
    },
  ),
];

const SHORT_NAMES: Readonly<Record<string, string>> = {
  '-p': '--print',
  '-c': '--continue',
  '-r': '--resume',
  '-d': '--debug',
  '-n': '--name',
  '-w': '--worktree',
  '--bg': '--background',
  '--allowed-tools': '--allowedTools',
  '--disallowed-tools': '--disallowedTools',
};

function toLongName(word: string): string {
  const [name = '', ...rest] = word.split('=');
  const long = SHORT_NAMES[name];
  return long === undefined ? word : [long, ...rest].join('=');
}

/** `manual` is the new name of what the program itself still calls `default`. */
function toMode(value: string | undefined): PermissionMode | undefined {
  switch (value) {
    case 'acceptEdits':
    case 'auto':
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

/** Rules stand side by side with commas or blanks between them; inside parentheses both belong to the rule. */
function splitRules(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}
