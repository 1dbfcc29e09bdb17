import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { copyPlannedBuild, DRAFT_EXTENSION } from '../draft/support.js';
import { runCli, tempFolder } from '../support/cli.js';
import { copyCheckout, read, run, write } from './support/checkout.js';

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

async function prove(cwd: string, file: string) {
  const { code, stdout } = await runCli(['prove', '--scenarios', file, '--json'], { cwd });
  const { passed, totals } = JSON.parse(stdout);
  return { code, passed, open: totals.checks - totals.proved };
}

describe('a proof', () => {
  test('of a new draft passes', async () => {
    const cwd = tempFolder();
    await runCli(['new', 'my-idea'], { cwd });
    expect(await prove(cwd, `my-idea.scenario.${DRAFT_EXTENSION}`)).toEqual({
      code: 0,
      passed: true,
      open: 0,
    });
  });

  test('of a draft from a folder passes', async () => {
    const cwd = tempFolder();
    await runCli(['new', 'report', '--from', copyPlannedBuild()], { cwd });
    expect(await prove(cwd, `report.scenario.${DRAFT_EXTENSION}`)).toEqual({
      code: 0,
      passed: true,
      open: 0,
    });
  });

  test('of the example passes', async () => {
    const cwd = tempFolder();
    cpSync(EXAMPLES, cwd, { recursive: true });
    expect(await prove(cwd, 'relay.scenario.mjs')).toEqual({ code: 0, passed: true, open: 0 });
  });
});

test('drafts are clean for our lint and our types, and the compiler knows the names of their checks', async () => {
  const copy = copyCheckout();
  await runCli(['new', 'my-idea', '--output', 'examples'], { cwd: copy });
  await runCli(['new', 'report', '--from', copyPlannedBuild(), '--output', 'examples'], { cwd: copy });
  expect(await run(copy, `npx biome check examples/my-idea.scenario.${DRAFT_EXTENSION}`)).toMatchObject({
    code: 0,
  });
  // What a folder holds may be laid out otherwise than a formatter would.
  expect(await run(copy, `npx biome lint examples/report.scenario.${DRAFT_EXTENSION}`)).toMatchObject({
    code: 0,
  });
  const misspelt = read(copy, `examples/my-idea.scenario.${DRAFT_EXTENSION}`).replace(
    "kills: ['sum']",
    "kills: ['summ']",
  );
  write(copy, `examples/misspelt.scenario.${DRAFT_EXTENSION}`, misspelt);
  const { stdout } = await run(copy, 'npx tsc --noEmit');
  expect(stdout).toMatch(/^examples\/misspelt\.scenario\.\w+\(.*"summ"/m);
  expect(
    stdout.split('\n').filter((line) => /^\S/.test(line) && !line.startsWith('examples/misspelt')),
  ).toEqual([]);
});
