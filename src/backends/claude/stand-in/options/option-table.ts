import type { OptionTable } from '../../../../agent/face/options.js';

/** The options of the print mode, by what follows them. */
export const OPTIONS: OptionTable = {
  flags: [
    ...['--help'],
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
export const NOT_PLAYED = [
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
  ...['--disable-slash-commands', '--prompt-suggestions', '--help'],
];

const SHORT_NAMES: Readonly<Record<string, string>> = {
  '-h': '--help',
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

/** Returns an option by its long name. */
export function toLongName(word: string): string {
  const [name = '', ...rest] = word.split('=');
  const long = SHORT_NAMES[name];
  return long === undefined ? word : [long, ...rest].join('=');
}
