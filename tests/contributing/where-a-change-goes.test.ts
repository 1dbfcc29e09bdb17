import { describe, expect, test } from 'vitest';
import { changedSince, copyCheckout, read, readSection, run, write } from './support/checkout.js';

/** The types and the build take minutes on a busy machine. */
const LONG = { timeout: 2_400_000 };

/** An edit of a file: what is in front of the new text, and the new text. */
type Edit = readonly [path: string, after: string, text: string];

const OUTCOMES = 'src/report/words/outcomes.ts';

/** A change of each kind, by the row of the table that says where it goes. */
const CHANGES: Readonly<Record<string, readonly Edit[]>> = {
  'an option of a run': [
    [
      'src/domain/run-call.ts',
      "    conflicts: { bail: 'choose one' },\n  }),\n",
      `  atMost: noNumber().register(OPTION_WORDS, {
    flags: '--at-most <n>',
    group: 'Which tests:',
    help: 'run the first n tests',
    read: readWhole(1),
  }),
`,
    ],
    [
      'src/run/record-run.ts',
      'const selected = withSecond(chosen, readiness, under)',
      '.slice(0, options.atMost ?? undefined)',
    ],
  ],
  'a report format': [
    [
      'src/domain/report/formats.ts',
      "reader: 'GitHub workflows' },\n",
      "  { name: 'list', file: 'report.list.txt', reader: 'scripts' },\n",
    ],
    [
      'src/harness/report-files.ts',
      '  github: renderJobSummary,\n',
      `  *list({ results }) {
    for (const { scenario_id, outcome } of results) yield \`\${scenario_id}: \${outcome}\\n\`;
  },
`,
    ],
    [
      'tests/report/hostile.test.ts',
      'const FORMATS: Readonly<Record<ReportFormat, Judge>> = {\n',
      '  list: () => undefined,\n',
    ],
  ],
  'a check': [
    [
      'src/domain/checks/files.ts',
      "} from './wanted-json.js';\n",
      `
/** Checks that a file exists and has no content. */
export function fileIsEmpty(path: string): Check {
  return {
    kind: 'fileIsEmpty',
    judges: 'agent',
    name: \`\${path} is empty\`,
    about: { path },
    category: 'FileContains',
    reads: [path],
    judge: (evidence) => {
      const content = contentOf(evidence, path);
      return {
        passed: content.kind === 'whole' && content.text === '',
        expected: 'an empty file',
        actual: content.kind === 'whole' ? excerpt(content.text) : 'no such file',
      };
    },
  };
}
`,
    ],
    ['src/domain/checks/index.ts', 'fileEquals, ', 'fileIsEmpty, '],
    [
      'src/argument-schemas.ts',
      '  fileEquals: { path: text, content: text },\n',
      '  fileIsEmpty: { path: text },\n',
    ],
    [
      'tests/domain/about.test.ts',
      "{ path: 'a.txt', text: 'x' }],\n",
      "  [ralph.fileIsEmpty('a.txt'), { path: 'a.txt' }],\n",
    ],
    ['src/analyze/fault/explain.ts', '  fileEquals: explainFile,\n', '  fileIsEmpty: explainFile,\n'],
  ],
  'a field of the journal': [
    ['src/domain/journal.ts', '  harnessVersion: z.string(),\n', '  cores: z.number().optional(),\n'],
    ['src/run/record-run.ts', '        harnessVersion: options.harnessVersion,\n', '        cores: 7,\n'],
  ],
  'a reason to skip a test': [
    [
      'src/domain/report/skip-cause.ts',
      "z.discriminatedUnion('kind', [\n",
      "  z.object({ kind: z.literal('moon-is-full') }),\n",
    ],
    [
      'src/analyze/recommend.ts',
      '  switch (cause?.kind) {\n',
      "    case 'moon-is-full':\n      return 'Wait two weeks.';\n",
    ],
  ],
  'another name for something of Ralph’s': [['src/domain/evidence/ralph-words.ts', '  ts: [', "'moment'"]],
  'a word of the verdict': [[OUTCOMES, "const VERDICTS = {\n  passed: { word: '", 'Well ']],
};

/** The rows of the table: the change, and where it goes. */
const ROWS = new Map(
  [...readSection('Where a change goes').matchAll(/^\| (?!change|-)(.+?) \| (.+) \|$/gm)].map(
    ([, change = '', where = '']) => [change, where],
  ),
);

describe('"Where a change goes" in CONTRIBUTING.md', () => {
  test('has a row for each change, and a change for each row', () => {
    expect([...ROWS.keys()].sort()).toEqual(['a backend', ...Object.keys(CHANGES)].sort());
  });

  test.each(Object.entries(CHANGES))('names every file that %s touches', (change, edits) => {
    const where = ROWS.get(change) ?? '';
    const named = [...where.matchAll(/`((?:src|tests)\/[^`]+)`/g)].map(([, path = '']) => path);
    for (const [path] of edits)
      expect(named.some((name) => path === name || (name.endsWith('/') && path.startsWith(name)))).toBe(true);
  });

  test(
    'types ask for the renderer of a format, the words of a check and the advice on a skip',
    LONG,
    async () => {
      const copy = copyCheckout();
      const first = ['a report format', 'a check', 'a reason to skip a test'].map(
        (change) => CHANGES[change]?.[0],
      );
      make(
        copy,
        first.flatMap((edit) => (edit === undefined ? [] : [edit])),
      );
      make(copy, CHANGES['a check']?.slice(1, 2) ?? []);
      const { stdout } = await run(copy, 'npx tsc --noEmit');
      for (const file of [
        'src/harness/report-files.ts',
        'src/argument-schemas.ts',
        'src/analyze/recommend.ts',
      ])
        expect(stdout).toContain(`${file}(`);
    },
  );

  test('is true: all of these changes together pass the types, and each of them shows', LONG, async () => {
    const copy = copyCheckout();
    const edits = Object.values(CHANGES).flat();
    make(copy, edits);
    expect(changedSince(copy)).toEqual([...new Set(edits.map(([path]) => path))].sort());
    expect(await run(copy, 'npx tsc --noEmit')).toMatchObject({ code: 0 });
    expect(await run(copy, 'node scripts/build.mjs --no-types')).toMatchObject({ code: 0 });
    write(copy, 'empty.mjs', EMPTY);
    const call = 'node dist/cli.js claude --mock --ralph embedded --scenarios empty.mjs';
    const { code, stdout } = await run(copy, `${call} --at-most 1 --report list`);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/WELL PASSED/) });
    expect(read(copy, '.e2e-tests/report.list.txt')).toBe('one: passed\n');
    const { stdout: journal } = await run(copy, 'cat .e2e-tests/runs/*/journal.jsonl');
    expect(journal).toContain('"cores":7');
    expect(journal).toContain('"kind":"fileIsEmpty"');
    write(copy, 'tests/domain/renamed.test.ts', RENAMED);
    expect(
      await run(copy, 'npx vitest run tests/domain/about.test.ts tests/domain/renamed.test.ts'),
    ).toMatchObject({
      code: 0,
    });
  });
});

/** Two scenarios whose agent leaves an empty file. */
const EMPTY = `
import { completed, fileIsEmpty, loop, onAnyPrompt, scenario } from 'ralph-e2e';
const define = (id) => scenario({
  id,
  description: 'The agent leaves an empty file',
  arrange: () => ({ config: loop({ maxIterations: 3 }), prompt: 'Leave an empty file empty.txt.' }),
  expect: () => ({ ends: completed(), empty: fileIsEmpty('empty.txt') }),
  agent: [onAnyPrompt().writes('empty.txt', '').completes()],
});
export const [one, two] = ['one', 'two'].map(define);
`;

const RENAMED = `
import { expect, test } from 'vitest';
import { readWords } from '../../src/domain/evidence/ralph-words.js';
test('a renamed field', () => expect(readWords({ moment: 1 })).toMatchObject({ ts: 1 }));
`;

/** Puts new text behind what is there. */
function make(copy: string, edits: readonly Edit[]): void {
  for (const [path, after, text] of edits) {
    const before = read(copy, path);
    expect(before.split(after).length, `${path}: ${after}`).toBeGreaterThan(1);
    write(
      copy,
      path,
      before.replace(after, () => after + text),
    );
  }
}
