/** The input of a tool call; `PATH` in a text becomes a path. */
export type ToolInput = Readonly<Record<string, unknown>>;

/** Well-formed inputs of the tools other than Bash. */
export const INPUTS = {
  Read: [
    { file_path: 'PATH' },
    { file_path: 'PATH' },
    { file_path: 'PATH', offset: 2 },
    { file_path: 'PATH', limit: 1 },
  ],
  Write: [{ file_path: 'PATH', content: 'written\n' }],
  Edit: [
    { file_path: 'PATH', old_string: 'line', new_string: 'word' },
    { file_path: 'PATH', old_string: 'line', new_string: 'word' },
    { file_path: 'PATH', old_string: 'e', new_string: 'E', replace_all: true },
    { file_path: 'PATH', old_string: '', new_string: 'word' },
  ],
  Grep: [
    { pattern: 'line' },
    { pattern: 'SECRET', output_mode: 'content' },
    { pattern: 'line', path: 'PATH', output_mode: 'content' },
    { pattern: 'line', path: 'src', output_mode: 'count' },
    { pattern: 'line', glob: '*.txt' },
    { pattern: '(' },
    { pattern: 'far', path: '{{home}}/far', output_mode: 'content' },
    { pattern: 'nosuch' },
  ],
  Glob: [
    { pattern: '**/*.txt' },
    { pattern: '*', path: 'src' },
    { pattern: '*.txt', path: 'PATH' },
    { pattern: '../home/far/*' },
    { pattern: '{{home}}/far/*' },
    { pattern: '**/.env' },
  ],
  mcp__srv__get: [{}, { key: 'value' }],
  Nope: [{}],
} as const satisfies Readonly<Record<string, readonly ToolInput[]>>;

/** Inputs that a tool does not take: unknown keys, wrong types, missing parts. None of them may run. */
export const MISTAKES = {
  Bash: [
    { command: 'touch s.txt', foo: 1 },
    { command: 'touch s.txt', timeout: 'abc' },
    { command: 'touch s.txt', timeout: '5000' },
    { command: 'touch s.txt', timeout: -1 },
    { command: 'touch s.txt', description: 3 },
    { command: 'touch s.txt', run_in_background: 'yes' },
    { command: ['touch', 's.txt'] },
    { command: null },
    { command: '' },
    {},
    { command: 'touch s.txt', file_path: 'a.txt' },
  ],
  Read: [
    { file_path: 'a.txt', offset: 'x' },
    { file_path: 'a.txt', offset: '2' },
    { file_path: 'a.txt', limit: -1 },
    { file_path: 'a.txt', offset: 1.5 },
    { file_path: 'a.txt', foo: true },
    { file_path: 7 },
    { path: 'a.txt' },
    { file_path: '' },
  ],
  Write: [
    { file_path: 'new.txt', content: 'x', foo: 1 },
    { file_path: 'new.txt', content: 5 },
    { file_path: 'new.txt', content: null },
    { file_path: 'new.txt' },
    { file_path: ['new.txt'], content: 'x' },
    { path: 'new.txt', content: 'x' },
  ],
  Edit: [
    { file_path: 'a.txt', old_string: 'line', new_string: 'word', replace_all: 'yes' },
    { file_path: 'a.txt', old_string: 'line', new_string: 'word', replace_all: 'true' },
    { file_path: 'a.txt', old_string: 'line', new_string: 'word', foo: 1 },
    { file_path: 'a.txt', old_string: 'line' },
    { file_path: 'a.txt', old_string: 1, new_string: 'word' },
    { file_path: 'a.txt', old_string: 'line', new_string: 'line' },
  ],
  Grep: [
    { pattern: 'far', path: '../home/far', file_path: 'a.txt' },
    { pattern: 'line', output_mode: 'all' },
    { pattern: 'line', '-i': 'yes' },
    { pattern: 5 },
    {},
  ],
  Glob: [{ pattern: '*', foo: 1 }, { pattern: 5 }, {}],
} as const satisfies Readonly<Record<string, readonly ToolInput[]>>;
