import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli, tempFolder } from '../support/cli.js';

/** Two tests of a plugin, written by somebody who has never heard of Ralph. One of them fails. */
const TESTS = `
import { conversation, fileContains, onPrompt, pluginLoaded, turnsCompleted } from 'ralph-e2e';

const greet = (id, agent) => conversation({
  id,
  description: 'The command writes a greeting',
  arrange: ({ nonce }) => ({
    plugins: [{
      name: 'hello',
      files: {
        '.claude-plugin/plugin.json': JSON.stringify({ name: 'hello', version: '1.0.0', description: 'Greets' }),
        'commands/greet.md': 'Write a greeting for $ARGUMENTS into greeting.txt.',
      },
    }],
    turns: ['/greet ' + nonce, 'Thank you.'],
  }),
  expect: ({ nonce }) => ({
    loaded: pluginLoaded('hello'),
    completed: turnsCompleted(),
    greeting: fileContains('greeting.txt', 'Hello, ' + nonce.toUpperCase()),
  }),
  agent,
});
const written = onPrompt(/greeting for (\\w+) into/).writes('greeting.txt', 'Hello, {{upper 1}}').says('Written.');
export const tests = [
  greet('greets', [written, onPrompt('Thank you').says('You are welcome.')]),
  greet('forgets', [written]),
];
`;

/** Words that mean nothing to somebody who tests a plugin. The name of our own program is none of them. */
const FOREIGN = /\bralph\b(?!-)|\btier\b|\bphase\b|\bhats?\b|\biterations?\b|\bloop\b/i;

/** Where the output of the CLI begins, which has words of its own. */
const OUTPUT = /\{(?:"|&quot;)(?:type|duration_api_ms)/;

/** The texts that people read; fields of JSON have the same names for every run, and the agent's output is its own. */
const PAGES = /\.(?:md|html|junit\.xml)$/;

function foreignLines(name: string, text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.split(OUTPUT)[0] ?? '')
    .filter((line) => FOREIGN.test(line))
    .map((line) => `${name}: ${line.trim().slice(0, 200)}`);
}

function writeTests(): string {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'tests.mjs'), TESTS);
  return cwd;
}

describe('a run of plugin tests', () => {
  test('speaks neither of Ralph nor of its tiers, phases, hats and iterations', async () => {
    const cwd = writeTests();
    const call = ['--mock', '--scenarios', 'tests.mjs'];
    const { code, stdout } = await runCli([...call, '--report', 'markdown,html,junit,github', '--verbose'], {
      cwd,
    });
    expect(stdout).toContain('1 of 2 tests failed on a stand-in for the agent CLI');
    expect(code).toBe(1);
    const folder = join(cwd, '.e2e-tests');
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => PAGES.test(path) && !path.startsWith('runs'),
    );
    expect(pages).toContain('report/failures/forgets-claude.md');
    const found = pages.flatMap((path) =>
      foreignLines(path, withoutScripts(readFileSync(join(folder, path), 'utf8'))),
    );
    expect([...foreignLines('terminal', stdout), ...found]).toEqual([]);

    const list = await runCli([...call, '--list'], { cwd });
    expect(foreignLines('--list', list.stdout)).toEqual([]);
    const prompt = await runCli(['show', '--prompt'], { cwd });
    expect(prompt.stdout).toContain('forgets');
    expect(foreignLines('show --prompt', prompt.stdout)).toEqual([]);
  });

  test('is listed for programs without a tier', async () => {
    const { stdout } = await runCli(['--mock', '--scenarios', 'tests.mjs', '--list', '--json'], {
      cwd: writeTests(),
    });
    expect(JSON.parse(stdout)).toMatchObject([
      { id: 'greets', tier: null, phase: null, priority: 'must' },
      { id: 'forgets', tier: null, phase: null, priority: 'must' },
    ]);
  });
});

/** What a page does, as opposed to what it says. */
function withoutScripts(page: string): string {
  return page
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/ (?:id|for|class|data-[a-z]+)="[^"]*"/g, '');
}
