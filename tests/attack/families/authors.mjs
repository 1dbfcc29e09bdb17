import { MINE, module } from '../parts.mjs';

/** The author made a mistake beside a test that passes: the run must not be green. */
const mistake = (id, way, lines, more = {}) => ({
  id,
  way,
  controls: 'the author of a scenario file',
  files: { 'mine.mjs': module(lines) },
  steps: [MINE],
  attacked: 'bad',
  ...more,
});
/** Replaces a built-in: whatever we then do may hit anybody. */
const replaces = (id, way, lines, more = {}) =>
  mistake(id, way, lines, { needs: 'cage', attacked: 'red', ...more });
const bad = (parts) => `export const all = [green, make('bad', ${parts})];`;

/** Mistakes of the people who write scenarios. */
export const authors = [
  mistake('expect-empty', 'expects nothing', bad('{ expect: () => [] }')),
  mistake('expect-empty-object', 'expects an empty object', bad('{ expect: () => ({}) }')),
  mistake(
    'expect-undefined-checks',
    'expects checks that are undefined',
    bad('{ expect: () => ({ a: undefined }) }'),
  ),
  mistake('expect-nothing', 'forgets to return the checks', bad('{ expect: () => {} }')),
  mistake('expect-text', 'returns a text', bad("{ expect: () => '' }")),
  mistake('expect-map', 'returns a Map', bad("{ expect: () => new Map([['a', completed()]]) }")),
  mistake('expect-set', 'returns a Set', bad('{ expect: () => new Set([completed()]) }')),
  mistake('expect-generator', 'writes a generator', bad('{ expect: function* () { yield completed(); } }')),
  mistake('expect-async', 'writes an async expect', bad('{ expect: async () => [completed()] }')),
  mistake('expect-call-forgotten', 'forgets to call the check', bad('{ expect: () => [completed] }')),
  mistake('expect-nested', 'nests the list of checks', bad('{ expect: () => [[completed()]] }')),
  mistake('expect-boolean', 'returns booleans', bad('{ expect: () => [true] }')),
  mistake(
    'expect-empty-second-time',
    'expects nothing when it counts',
    `let asked = 0;\n${bad("{ expect: () => (asked++ === 0 ? [fileContains('absent.txt', 'x')] : []) }")}`,
  ),
  mistake('arrange-async', 'writes an async arrange', bad('{ arrange: async () => arrange() }')),
  mistake('arrange-nothing', 'arranges nothing', bad('{ arrange: () => undefined }')),
  mistake(
    'arrange-misspelt',
    'misspells a field of what it arranges',
    bad("{ arrange: () => ({ ...arrange(), file: { 'a.txt': 'x' } }) }"),
  ),
  mistake(
    'field-misspelt',
    'misspells a field of the scenario',
    bad("{ expects: () => [fileContains('absent.txt', 'x')] }"),
  ),
  mistake(
    'nested-list',
    'exports a list inside a list',
    "export const all = [green, [make('bad', { expect: () => [fileContains('absent.txt', 'x')] })]];",
  ),
  mistake(
    'object-of-lists',
    'exports an object of lists',
    "export const ok = green;\nexport const all = { bad: [make('bad', { expect: () => [fileContains('absent.txt', 'x')] })] };",
  ),
  mistake(
    'function-export',
    'exports a function',
    "export const ok = green;\nexport const more = () => [make('bad', { expect: () => [fileContains('absent.txt', 'x')] })];",
  ),
  mistake(
    'promise-export',
    'exports a promise',
    "export const ok = green;\nexport const more = Promise.resolve([make('bad', { expect: () => [fileContains('absent.txt', 'x')] })]);",
  ),
  mistake('class-export', 'exports a class', 'export const ok = green;\nexport class Bad { }'),
  mistake(
    'spread',
    'spreads a scenario and loses a field',
    "export const ok = green;\nexport const bad = { ...red, id: 'bad', expect: undefined };",
  ),
  mistake(
    'spread-more',
    'spreads a scenario and adds a misspelt field',
    "export const ok = green;\nexport const bad = { ...green, id: 'bad', expects: () => [fileContains('absent.txt', 'x')] };",
  ),
  mistake(
    'kind-lost',
    'loses the kind of a scenario',
    "export const ok = green;\nconst { kind, ...bad } = make('bad', { expect: () => [fileContains('absent.txt', 'x')] });\nexport { bad };",
  ),
  mistake(
    'twins',
    'gives two scenarios one id',
    "export const all = [make('bad', { expect: () => [fileContains('absent.txt', 'x')] }), make('bad')];",
  ),
  mistake('no-export', 'exports nothing', 'const all = [red];'),
  mistake('empty-list', 'exports an empty list', 'export const all = [];'),
  mistake(
    'known-issue-link',
    'gives a known issue no link',
    bad("{ knownIssue: { upTo: '9.9.9', reason: 'x', link: null, breaks: { completed: /./ } } }"),
  ),
  mistake(
    'known-issue-all',
    'calls a failure a known issue that breaks other checks',
    bad(
      "{ expect: () => ({ a: completed(), b: fileContains('absent.txt', 'x') }), knownIssue: { upTo: '9.9.9', reason: 'x', link: 'y', breaks: { a: /./ } } }",
    ),
  ),
  mistake('iterations-text', 'writes a number as text', bad("{ expectedIterations: '3' }")),
  mistake('timeout-text', 'writes the time limit as text', bad("{ timeoutSeconds: '5' }")),
  mistake('timeout-nan', 'computes a time limit that is no number', bad('{ timeoutSeconds: Number.NaN }')),
  mistake('pressure-short', 'describes pressure by its name only', bad("{ pressure: [{ name: 'x' }] }")),
  mistake('programs-text', 'writes one program as text', bad("{ programs: 'python3' }")),
  mistake('companions-unknown', 'names an unknown companion', bad("{ companions: () => ['nope'] }")),
  mistake(
    'companions-throw',
    'throws in companions',
    bad("{ companions: () => { throw new Error('no'); } }"),
  ),
  mistake('agent-not-a-list', 'gives one rule instead of a list', bad('{ agent: done() }')),
  mistake('lanes-empty', 'runs in no lane', bad('{ lanes: [] }')),
  mistake('backends-empty', 'runs on no backend', bad('{ backends: [] }')),
  mistake('exit-in-arrange', 'ends the process in arrange', bad('{ arrange: () => process.exit(0) }')),
  mistake('exit-in-expect', 'ends the process in expect', bad('{ expect: () => process.exit(0) }')),
  mistake(
    'exit-in-check',
    'ends the process in a check',
    bad('{ expect: () => [{ ...completed(), judge: () => process.exit(0) }] }'),
  ),
  mistake(
    'exit-at-top',
    'ends the process while it is loaded',
    'process.exit(0);\nexport const all = [red];',
  ),
  mistake(
    'exit-in-timer',
    'ends the process from a timer',
    'setTimeout(() => process.exit(0), 300);\nexport const all = [red];',
    { attacked: 'red' },
  ),
  mistake(
    'really-exit',
    'ends the process by the way that process.exit takes',
    bad('{ expect: () => process.reallyExit(0) }'),
  ),
  mistake('kill-self', 'kills the process', bad("{ expect: () => process.kill(process.pid, 'SIGKILL') }")),
  mistake(
    'abort-self',
    'interrupts the process',
    bad("{ expect: () => { process.kill(process.pid, 'SIGINT'); return [completed()]; } }"),
  ),
  mistake(
    'exit-code-set',
    'sets the exit code',
    `process.exitCode = 0;\nprocess.on('exit', () => { process.exitCode = 0; });\nexport const all = [red];`,
    { attacked: 'red' },
  ),
  mistake(
    'exit-code-frozen',
    'makes the exit code read-only',
    "Object.defineProperty(process, 'exitCode', { get: () => 0, set() {} });\nexport const all = [red];",
    { attacked: 'red' },
  ),
  mistake(
    'exit-listener-removed',
    'removes our listeners and ends the process',
    "export const all = [green, make('bad', { expect: () => { process.removeAllListeners('exit'); process.reallyExit(0); } })];",
  ),
  mistake(
    'throw-interrupted',
    'throws a text about an interrupt',
    bad("{ arrange: () => { throw 'interrupted by the user'; } }"),
  ),
  mistake(
    'throw-interrupted-expect',
    'throws an error about an interrupt in expect',
    bad("{ expect: () => { throw new Error('interrupted'); } }"),
  ),
  mistake('throw-undefined', 'throws undefined', bad('{ expect: () => { throw undefined; } }')),
  mistake(
    'throw-null-in-check',
    'throws null in a check',
    bad('{ expect: () => [{ ...completed(), judge: () => { throw null; } }] }'),
  ),
  mistake(
    'throw-object',
    'throws an object without a text',
    bad('{ arrange: () => { throw Object.create(null); } }'),
  ),
  mistake('throw-symbol', 'throws a symbol', bad("{ arrange: () => { throw Symbol('x'); } }")),
  mistake(
    'throw-abort',
    'throws an AbortError',
    bad("{ expect: () => { throw new DOMException('aborted', 'AbortError'); } }"),
  ),
  mistake(
    'throw-known',
    'throws an error that looks like ours',
    bad("{ expect: () => { const e = new Error('x'); e.name = 'NothingFailed'; throw e; } }"),
  ),
  mistake(
    'throw-commander',
    'throws an error that looks like the help',
    bad(
      "{ companions: () => { const e = new Error('help'); e.code = 'commander.helpDisplayed'; e.exitCode = 0; throw e; } }",
    ),
  ),
  mistake('throw-at-top', 'throws while it is loaded', "throw new Error('no');\nexport const all = [red];"),
  mistake('throw-null-at-top', 'throws null while it is loaded', 'throw null;\nexport const all = [red];'),
  mistake(
    'throw-in-timer',
    'throws in a timer',
    "setTimeout(() => { throw new Error('late'); }, 100);\nexport const all = [red];",
    { attacked: 'red' },
  ),
  mistake(
    'rejection',
    'leaves a rejected promise',
    "Promise.reject(new Error('late'));\nexport const all = [red];",
    { attacked: 'red' },
  ),
  mistake(
    'rejection-in-expect',
    'leaves a rejected promise in expect',
    bad("{ expect: () => { Promise.reject(new Error('late')); return [completed()]; } }"),
  ),
  mistake(
    'never-settles',
    'waits for ever while it is loaded',
    'await new Promise(() => {});\nexport const all = [red];',
  ),
  mistake('syntax', 'makes a mistake in the syntax', 'export const all = [red'),
  mistake(
    'judge-true',
    'returns true from a check',
    bad('{ expect: () => [{ ...completed(), judge: () => true }] }'),
  ),
  mistake(
    'judge-truthy',
    'returns a text as the result',
    bad(
      "{ expect: () => [{ ...completed(), judge: () => ({ passed: 'false', expected: '', actual: '' }) }] }",
    ),
  ),
  mistake(
    'judge-nothing',
    'returns nothing from a check',
    bad('{ expect: () => [{ ...completed(), judge: () => {} }] }'),
  ),
  mistake(
    'judge-async',
    'writes an async check',
    bad(
      "{ expect: () => [{ ...completed(), judge: async () => ({ passed: true, expected: '', actual: '' }) }] }",
    ),
  ),
  mistake(
    'judge-getter',
    'returns a result that changes',
    bad(
      "{ expect: () => [{ ...completed(), judge: () => { let n = 0; return { get passed() { return n++ > 0 ? false : 1; }, expected: '', actual: '' }; } }] }",
    ),
  ),
  mistake(
    'judge-getter-late',
    'returns a result that fails when it is first read, and then passes',
    bad(
      "{ expect: () => [{ ...completed(), judge: () => { let n = 0; return { get passed() { return n++ > 0; }, expected: '', actual: '' }; } }] }",
    ),
  ),
  mistake(
    'judge-empties-evidence',
    'empties the evidence in a check',
    bad(
      "{ expect: () => [{ ...completed(), judge: (e) => { e.leftBehind.length = 0; e.files.length = 0; return { passed: true, expected: '', actual: '' }; } }] }",
    ),
  ),
  replaces(
    'patch-every',
    'replaces Array.prototype.filter',
    'export const all = [red];\nArray.prototype.filter = () => [];',
    { attacked: 'red' },
  ),
  replaces(
    'patch-json',
    'replaces JSON.stringify',
    'export const all = [red];\nconst { stringify } = JSON;\nJSON.stringify = (...a) => stringify(...a)?.replaceAll(\'"failed"\', \'"passed"\');',
    { attacked: 'red' },
  ),
  replaces(
    'patch-parse',
    'replaces JSON.parse',
    'export const all = [red];\nconst { parse } = JSON;\nJSON.parse = (text, ...a) => parse(String(text).replaceAll(\'"outcome":"failed"\', \'"outcome":"passed"\'), ...a);',
    { attacked: 'red' },
  ),
  replaces(
    'patch-array',
    'replaces Array.prototype.some',
    'export const all = [red];\nArray.prototype.some = () => false;',
    { attacked: 'red' },
  ),
  replaces(
    'patch-includes',
    'replaces String.prototype.includes',
    'export const all = [red];\nString.prototype.includes = () => true;',
    { attacked: 'red' },
  ),
  replaces(
    'patch-regexp',
    'replaces RegExp.prototype.test',
    'export const all = [red];\nRegExp.prototype.test = () => true;',
    { attacked: 'red' },
  ),
  replaces('patch-exit', 'replaces process.exit', 'process.exit = () => {};\nexport const all = [red];', {
    attacked: 'red',
  }),
  replaces(
    'patch-really-exit',
    'replaces what process.exit calls',
    'const { reallyExit } = process;\nprocess.reallyExit = () => reallyExit.call(process, 0);\nexport const all = [red];',
    { attacked: 'red' },
  ),
  replaces(
    'patch-fs',
    'replaces fs.writeSync',
    "import fs from 'node:fs';\nconst { writeSync } = fs;\nfs.writeSync = (fd, data, ...rest) => writeSync(fd, data, ...rest);\nexport const all = [red];",
    { attacked: 'red' },
  ),
  replaces(
    'patch-stdout',
    'silences the output',
    'process.stdout.write = () => true;\nexport const all = [red];',
    { attacked: 'red' },
  ),
  replaces('patch-date', 'replaces Date.parse', 'Date.parse = () => Number.NaN;\nexport const all = [red];', {
    attacked: 'red',
  }),
  replaces(
    'patch-prototype',
    'adds a property to every object',
    'Object.prototype.passed = true;\nexport const all = [red];',
    { attacked: 'red' },
  ),
  replaces(
    'patch-freeze',
    'replaces Object.freeze and empties the evidence',
    "Object.freeze = (x) => x;\nexport const all = [green, make('bad', { expect: () => [{ ...completed(), judge: (e) => { e.leftBehind.length = 0; return { passed: true, expected: '', actual: '' }; } }, fileContains('absent.txt', 'x')] })];",
  ),
  mistake(
    'change-own-check',
    'changes the checks while they judge',
    "const checks = [completed(), fileContains('absent.txt', 'x')];\nconst first = { ...completed(), judge: () => { checks.length = 0; return { passed: true, expected: '', actual: '' }; } };\nchecks.unshift(first);\nexport const all = [make('bad', { expect: () => checks })];",
  ),
  mistake(
    'change-other-scenario',
    'changes another scenario',
    "export const all = [make('a', { arrange: () => { try { red.expect = () => [completed()]; } catch {} return arrange(); } }), red];",
    { attacked: 'red' },
  ),
  mistake(
    'changes-working-directory',
    'changes the working directory',
    "export const all = [make('bad', { arrange: () => { process.chdir('/'); return arrange(); }, expect: () => [fileContains('absent.txt', 'x')] })];",
  ),
  mistake(
    'changes-environment',
    'names another ralph in the environment',
    "process.env.RALPH_BIN = '/bin/true';\nexport const all = [red];",
    { attacked: 'red' },
  ),
  {
    id: 'control',
    control: true,
    way: 'a scenario without a mistake',
    controls: 'nobody',
    files: { 'mine.mjs': module("export const all = [green, make('bad')];") },
    steps: [MINE],
  },
];
