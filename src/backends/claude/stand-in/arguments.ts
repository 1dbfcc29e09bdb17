import { inScriptedLane, refuseUnplayed } from '../../../agent/face/not-played.js';
import { type OptionTable, parseOptions } from '../../../agent/face/options.js';

export type PermissionMode = 'acceptEdits' | 'auto' | 'bypassPermissions' | 'default' | 'dontAsk' | 'plan';

/** Parsed arguments that the real program accepts and the stand-in supports. */
export interface ClaudeArguments {
  readonly prompt: string | undefined;
  readonly outputFormat: 'text' | 'json' | 'stream-json';
  readonly inputFormat: 'text' | 'stream-json';
  readonly verbose: boolean;
  readonly model: string | undefined;
  readonly mode: PermissionMode | undefined;
  /** Asks for a mode without permission prompts, or for the right to switch to one. */
  readonly skipsPermissions: boolean;
  readonly allowed: readonly string[];
  readonly disallowed: readonly string[];
  readonly settings: readonly string[];
  readonly settingSources: readonly string[];
  readonly sessionId: string | undefined;
  /** The session to resume; `true` if none is named. */
  readonly resume: string | true | undefined;
  readonly continues: boolean;
  readonly forks: boolean;
  readonly persists: boolean;
  readonly maxTurns: number | undefined;
  readonly systemPrompt: string;
  /** The agent that answers. */
  readonly agent: string | undefined;
  /** Files whose text is added to the system prompt. */
  readonly systemPromptFiles: readonly PromptFile[];
  readonly pluginDirs: readonly string[];
  readonly addDirs: readonly string[];
  readonly partialMessages: boolean;
  readonly hookEvents: boolean;
  readonly replaysUser: boolean;
  readonly given: readonly string[];
}

/** A file for the system prompt, and how errors call it. */
interface PromptFile {
  readonly label: 'System prompt' | 'Append system prompt';
  readonly path: string;
}

/** A call that is refused before anything plays, with the real program's message or, for exit 70, with ours. */
export interface RefusedCall {
  readonly message: string;
  readonly exitCode: number;
}

/** Parses the arguments of a call in print mode. */
export function readArguments(argv: readonly string[]): ClaudeArguments | RefusedCall {
  const words = argv.map(toLongName);
  const { flags, values, lists, positionals, given, unknown } = parseOptions(words, OPTIONS);
  if (unknown !== null) return { message: `error: unknown option '${unknown}'`, exitCode: 1 };
  const incomplete = METAVARIABLES[words.at(-1) ?? ''];
  if (incomplete !== undefined && words.at(-2) !== '--') {
    return { message: `error: option '${words.at(-1)} <${incomplete}>' argument missing`, exitCode: 1 };
  }
  const wrong = CHOICES.map(([name, label, allowed, said]) => {
    const value = values.get(name);
    return value === undefined || allowed.includes(value)
      ? null
      : `error: option '${label}' argument '${value}' is invalid. Allowed choices are ${said.join(', ')}.`;
  }).find((message) => message !== null);
  if (wrong !== undefined && wrong !== null) return { message: wrong, exitCode: 1 };
  const invalid = refuseValues(values);
  if (invalid !== null) return { message: invalid, exitCode: 1 };
  const unplayed = NOT_PLAYED.find((name) => given.includes(name));
  if (unplayed !== undefined) return notPlayed(unplayed);
  if (!flags.has('--print')) return notPlayed('the interactive screen (use --print)');
  const servers = (lists.get('--mcp-config') ?? []).find(
    (config) => !/"mcpServers"\s*:\s*\{\s*\}/.test(config),
  );
  if (servers !== undefined) return notPlayed('MCP servers (--mcp-config)');
  const mode = flags.has('--dangerously-skip-permissions')
    ? 'bypassPermissions'
    : toMode(values.get('--permission-mode'));
  // In the settings, `Bash()` has no effect, but here it names the whole tool.
  const list = (name: string) =>
    (lists.get(name) ?? []).flatMap((value) => splitRules(value)).map((rule) => rule.replace(/\(\)$/, ''));
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
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    agent: values.get('--agent'),
    sessionId: values.get('--session-id'),
    resume: flags.has('--resume') ? true : values.get('--resume'),
    continues: flags.has('--continue'),
    forks: flags.has('--fork-session'),
    persists: !flags.has('--no-session-persistence'),
    // 0 is no limit.
    maxTurns: Number(values.get('--max-turns') ?? 0) === 0 ? undefined : Number(values.get('--max-turns')),
    systemPrompt: [values.get('--system-prompt'), values.get('--append-system-prompt')]
      .filter((text) => text !== undefined)
      .join('\n'),
    systemPromptFiles: PROMPT_FILES.flatMap(([name, label]) => {
      const path = values.get(name);
      return path === undefined ? [] : [{ label, path }];
    }),
    pluginDirs: lists.get('--plugin-dir') ?? [],
    addDirs: lists.get('--add-dir') ?? [],
    partialMessages: flags.has('--include-partial-messages'),
    hookEvents: flags.has('--include-hook-events'),
    replaysUser: flags.has('--replay-user-messages'),
    given,
  };
}

/** Refuses what the stand-in does not support, instead of pretending. */
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
    ...['--system-prompt-file', '--append-system-prompt-file'],
  ],
  lists: ['--allowedTools', '--disallowedTools', '--tools', '--add-dir', '--mcp-config', '--betas', '--file'],
  optionals: [
    ...['--resume', '--debug', '--worktree', '--cloud', '--from-pr', '--remote-control', '--teleport'],
    ...['--prompt-suggestions'],
  ],
};

/** Options of the real program whose effect we do not imitate. Options that change nothing for a script are accepted. */
const NOT_PLAYED = [
  ...['--agents', '--json-schema', '--max-budget-usd', '--permission-prompt-tool', '--permission-prompts'],
  ...[
    '--plugin-url',
    '--debug-file',
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

/** The option, its label in the message, the accepted values, and the values that the message lists. */
const CHOICES: readonly [string, string, readonly string[], readonly string[]][] = [
  ['--permission-mode', '--permission-mode <mode>', [...MODES, 'default'], MODES],
  ...(['--output-format', '--input-format'] as const).map(
    (name): [string, string, readonly string[], readonly string[]] => {
      const formats = name === '--output-format' ? ['text', 'json', 'stream-json'] : ['text', 'stream-json'];
      return [name, `${name} <format>`, formats, formats];
    },
  ),
];

const PROMPT_FILES = [
  ['--system-prompt-file', 'System prompt'],
  ['--append-system-prompt-file', 'Append system prompt'],
] as const;

/** Options that need a value, as the message about a missing one calls it. */
const METAVARIABLES: Readonly<Record<string, string>> = {
  '--append-system-prompt': 'prompt',
  '--model': 'model',
  '--settings': 'file-or-json',
  '--system-prompt': 'prompt',
};

/** Checks values that are not one of a few choices. */
function refuseValues(values: ReadonlyMap<string, string>): string | null {
  const turns = values.get('--max-turns');
  if (turns !== undefined && Number.isNaN(Number(turns))) {
    return `error: option '--max-turns <turns>' argument '${turns}' is invalid. must be a number`;
  }
  const window = values.get('--autocompact');
  if (window !== undefined && !/^(?:auto|[1-9]\d{2}k?|[1-9]\d{5}|1M|1000000)$/.test(window)) {
    return `error: option '--autocompact <auto|tokens>' argument '${window}' is invalid. It must be 'auto', or between 100k and 1M (e.g. 500k, 200000, or 200 as shorthand)`;
  }
  const source = (values.get('--setting-sources') ?? '')
    .split(',')
    .map((name) => name.trim())
    .find((name) => !['', 'user', 'project', 'local'].includes(name));
  if (source !== undefined) {
    return `Error processing --setting-sources: Invalid setting source: ${source}. Valid options are: user, project, local`;
  }
  return null;
}

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

/** `manual` is the new name of the mode that the program itself still calls `default`. */
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

/** Splits rules at commas and spaces, except inside parentheses. */
function splitRules(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [];
}
