/** Settings whose value is an object, by key. The generator draws the others from the schema of the real program. */
export const OBJECTS: Readonly<Record<string, readonly unknown[]>> = {
  env: [{ FOO: 'set' }, { X: '1', LANG: 'C' }, { X: 1 }, { BASH_ENV: 'nosuch.sh' }],
  sandbox: [{ enabled: false }, { enabled: true }, { enabled: true, autoAllowBashIfSandboxed: true }],
  attribution: [{ commit: '' }],
  statusLine: [{ type: 'command', command: 'true' }],
};

/** Keys of `permissions` that switch a mode off. */
export const SWITCHES: readonly Readonly<Record<string, string>>[] = [
  { disableBypassPermissionsMode: 'disable' },
  { disableAutoMode: 'disable' },
];

export const MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'default', 'dontAsk', 'manual', 'plan'];

/** Values of `additionalDirectories` and `--add-dir`. */
export const DIRECTORIES = [
  '../home',
  'src',
  'nosuch',
  '..',
  '~',
  '{{home}}',
  '{{workspace}}',
  'out.lnk',
  '/etc',
];

/** Rules that are about no command and no path. */
export const OTHER_RULES = [
  ...['mcp__srv', 'mcp__srv__*', 'mcp__srv__get', 'mcp__srv__get_*', 'mcp__*', '*', 'Grep', 'Glob', 'Nope'],
  ...['Grep(*.txt)', 'Glob(**)', 'bash', 'Bash(', 'Read()', 'WebFetch(domain:example.com)', 'Skill', 'Task'],
];
