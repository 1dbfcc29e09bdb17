import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  changedSince,
  copyCheckout,
  read,
  readCommands,
  readSection,
  run,
  runAll,
  write,
} from './support/checkout.js';

const REGISTRY = 'src/domain/backends.ts';

/** What CONTRIBUTING.md prints: the line, the files by their paths, and the commands. */
const PAGE = readSection('Add a backend');
const LINE = /^```ts\n( {2}amp: .*\n)```$/m.exec(PAGE)?.[1] ?? '';
const PRINTED = [...PAGE.matchAll(/^\*\*(src\/backends\/\S+)\*\*\n\n```ts\n([\s\S]*?)^```$/gm)].map(
  ([, path = '', text = '']) => ({ path, text }),
);

/** Our own schema does not know the backend of the copy. */
const REPORT = z.object({ results: z.array(z.object({ scenario_id: z.string(), outcome: z.string() })) });

describe('"Add a backend" in CONTRIBUTING.md', () => {
  test('makes a backend that runs, is proved, plays scripts and passes the static checks', async () => {
    const copy = copyCheckout();
    addLine(copy);
    for (const { path, text } of PRINTED) write(copy, path, text);
    const added = changedSince(copy);
    expect(added).toEqual([...PRINTED.map(({ path }) => path), REGISTRY].sort());

    const { ends, failed } = await runAll(copy, readCommands(PAGE));
    expect(failed).toEqual([]);
    expect(ends.find(({ command }) => command.includes(' sim amp '))?.stdout).toBe('Hi.\n');
    const { results } = REPORT.parse(JSON.parse(read(copy, '.e2e-tests/report.json')));
    expect(results.map(({ scenario_id, outcome }) => `${scenario_id} ${outcome}`)).toEqual([
      'amp-connect passed',
      'amp-single-iter passed',
    ]);
    // The build writes one source, and nobody has to touch another.
    expect(changedSince(copy)).toEqual([...added, 'hello.yaml', 'src/backends/folders.ts'].sort());

    expect((await run(copy, 'node dist/cli.js --help')).stdout).toMatch(/gemini,\s+pi,\s+amp\s/);
    expect((await run(copy, 'node dist/cli.js doctor --lane sim')).stdout).toContain('✔ Amp 0.0.17');
    expect(await run(copy, 'node dist/cli.js amp --mock --model big')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--model big: Amp has no option for a model.'),
    });
    expect(await run(copy, `npx vitest run ${TESTS_OF_EVERY_BACKEND.join(' ')}`)).toMatchObject({ code: 0 });
  });

  test('neither the line nor the folder is enough', async () => {
    const copy = copyCheckout();
    addLine(copy);
    const another = (text: string) => text.replaceAll('amp', 'zed');
    for (const { path, text } of PRINTED) write(copy, another(path), another(text));
    const { code, stdout } = await run(copy, 'npx tsc --noEmit');
    expect(code).toBe(2);
    expect(stdout).toMatch(/^src\/backends\/index\.ts\(.*'amp' is missing/m);
    expect(stdout).toMatch(/^src\/backends\/zed\/backend\.ts\(.*'"zed"' is not assignable/m);
    expect(await run(copy, 'node scripts/build.mjs --no-types')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Could not resolve "./amp/backend.js"'),
    });
  });
});

/** Tests that take their cases from the registry. */
const TESTS_OF_EVERY_BACKEND = [
  'tests/backends',
  'tests/lane',
  'tests/run/select',
  'tests/isolation/parts.test.ts',
  'tests/scripts/bytecode.test.ts',
  'tests/cli/commands/sim.test.ts',
  'tests/e2e/usage.test.ts',
  'tests/e2e/doctor-and-clean.test.ts',
  'tests/e2e/scripted.test.ts',
  'tests/e2e/mock-run.test.ts',
];

/** Puts the line at the end of the registry. */
function addLine(copy: string): void {
  const text = read(copy, REGISTRY);
  write(
    copy,
    REGISTRY,
    text.replace(/^\} as const satisfies/m, (end) => `${LINE}${end}`),
  );
}
