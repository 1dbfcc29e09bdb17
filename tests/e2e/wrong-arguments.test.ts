import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, tempFolder } from '../support/cli.js';

/** The mistake is on line 10. A type is above it, which is removed when the file is loaded. */
const SCENARIO = (types: boolean) => `
import { conversation, hookBlocked, onPrompt, turnsCompleted } from 'ralph-e2e';
${types ? 'interface Names {\n  readonly one: string;\n}' : '\n\n'}
export const guarded = conversation({
  id: 'guarded', description: 'A hook guards',
  arrange: () => ({ turns: ['Go.'] }),
  expect: () => ({
    completed: turnsCompleted(),
    blocks: hookBlocked(2, 'PreToolUse'),
  }),
  agent: [onPrompt('Go').says('Done.')],
});
`;

test.each([
  ['guarded.mjs', false],
  ['guarded.ts', true],
])('%s: a wrong argument is told with the line of the author before anything runs', async (file, types) => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, file), SCENARIO(types).trimStart());
  const { code, stderr } = await runCli(['--mock', '--scenarios', file], { cwd });
  expect(stderr).toBe(
    `error: scenario "guarded": ${file}:10: hookBlocked: reason: expected a text or a pattern, found undefined.\n`,
  );
  expect(code).toBe(2);
});

test.each([
  ['tier: 12', /tier: expected a tier from 1 to 9, found 12\./],
  ['arange: 1', /unknown key "arange": did you mean "arrange"\?/],
  ["agent: [onPrompt('Go').says()]", /says: text: expected a text, found undefined\./],
])('a definition with %s is refused with its line', async (change, message) => {
  const cwd = tempFolder();
  writeFileSync(
    join(cwd, 'mine.mjs'),
    SCENARIO(false).trimStart().replace("id: 'guarded',", `$&\n  ${change},`),
  );
  const { code, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd });
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test('a script that no prompt can be answered with is refused before anything runs', async () => {
  const cwd = tempFolder();
  const text = SCENARIO(false).replace("'PreToolUse'", "'PreToolUse', /no/").replace("'Done.'", "'{{1}}'");
  writeFileSync(join(cwd, 'mine.mjs'), text);
  const { code, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd });
  expect(stderr).toMatch(/^error: scenario "guarded": agent: rules\[0\]: \{\{1\}\} .*there is no capture 1;/);
  expect(code).toBe(2);
});

test.each([['prove'], ['--list', '--verbose'], ['--mock']])(
  'with %s, a misspelled name is told with its line',
  async (...flags) => {
    const cwd = tempFolder();
    writeFileSync(
      join(cwd, 'mine.mjs'),
      SCENARIO(false).trimStart().replace("hookBlocked(2, 'PreToolUse')", 'hookBlokked(2)'),
    );
    const { code, stdout, stderr } = await runCli([...flags, '--scenarios', 'mine.mjs'], { cwd });
    expect(`${stdout}${stderr}`).toMatch(
      /mine\.mjs:10|ReferenceError: hookBlokked is not defined.*mine\.mjs:10/,
    );
    expect(`${stdout}${stderr}`).not.toMatch(/bug in ralph-e2e/);
    expect(code).toBe(2);
  },
);
