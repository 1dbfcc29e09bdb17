import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli, tempFolder } from '../support/cli.js';

/** A plugin whose author thinks that \`$1\` is the first argument of a command. In Claude Code it is the second. */
const TESTS = `
import { conversation, fileContains, onPrompt, turnSays, turnsCompleted } from 'ralph-e2e';

export const sign = conversation({
  id: 'sign',
  description: 'The command signs a deed',
  arrange: () => ({
    plugins: [{
      name: 'notary',
      files: {
        '.claude-plugin/plugin.json': JSON.stringify({ name: 'notary', version: '1.0.0', description: 'Signs' }),
        'commands/sign.md': 'Append the line "Signed" to $1. The code is ' + process.env.SEAL_TOKEN + '.',
      },
    }],
    turns: ['/notary:sign house.deed Ann', 'Thank you.'],
  }),
  expect: () => ({
    completed: turnsCompleted(),
    signed: fileContains('house.deed', 'Signed'),
    says: turnSays(1, 'SIGNED'),
    thanks: turnSays(2, 'welcome'),
  }),
  agent: [
    onPrompt('to house.deed').writes('house.deed', 'Signed').says('SIGNED'),
    onPrompt('Thank you').says('You are welcome.'),
  ],
});
`;

const SECRET = 'seal-7319-not-for-reports';

test('a prompt that no rule answers is shown everywhere and kept; what follows from it is one line', async () => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'tests.mjs'), TESTS);
  const call = ['--mock', '--scenarios', 'tests.mjs', '--env', 'SEAL_TOKEN'];
  const { code, stdout } = await runCli(call, { cwd, env: { SEAL_TOKEN: SECRET } });
  expect(code).toBe(1);
  const folder = join(cwd, '.e2e-tests');
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const [run = ''] = readdirSync(join(folder, 'runs'));
  const kept = read(`runs/${run}/sign-claude/1/unanswered-prompt.txt`);
  expect(kept).toContain('Append the line "Signed" to Ann.');

  const { example } = JSON.parse(read('failures.json')).causes[0];
  expect(example).toMatchObject({ also_failed: [], also_failed_left_out: 4 });
  const places = {
    terminal: stdout,
    'report.md': read('report.md'),
    page: read('report/failures/sign-claude.md'),
    'failures.json': `${example.divergence.received}\n`,
  };
  for (const [place, text] of Object.entries(places)) {
    expect(text, place).toContain('| Append the line "Signed" to Ann.');
    expect(text, place).toContain('on prompt to house.deed: the prompt does not match');
    expect(text, place).not.toContain('turn 1 says');
    expect(`${text}${kept}`, place).not.toContain(SECRET);
  }
  const { 'failures.json': _, ...pages } = places;
  for (const [place, text] of Object.entries(pages))
    expect(text, place).toContain('4 more checks failed as a consequence');
  const first = stdout.split('\n').find((line) => line.includes('✗'));
  expect(first).toContain('the agent script answers every prompt');
});
