// A test of a Claude Code plugin, here with node:test. Run it: node --test hello.test.mjs
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProject, installPlugin, onPrompt, openSession } from 'ralph-e2e';

test('the command writes a greeting', async (t) => {
  const project = await createProject({ type: 'cli', language: 'javascript' });
  t.after(() => project.close());
  const plugin = await installPlugin(fileURLToPath(new URL('hello', import.meta.url)));
  t.after(() => plugin.close());
  assert.deepEqual(plugin.problems, []);

  // The lane is `sim`, so this script is the agent. `lane: 'live'` talks to your Claude Code instead.
  const session = await openSession({
    project,
    plugins: [plugin],
    agent: [
      onPrompt(/greeting for (\w+) into/)
        .writes('greeting.txt', 'Hello, {{1}}!\n')
        .says('Written.'),
    ],
  });
  t.after(() => session.close());

  const turn = await session.say('/greet Ada');
  assert.equal(turn.outcome.kind, 'completed');
  assert.equal(await readFile(join(project.path, 'greeting.txt'), 'utf8'), 'Hello, Ada!\n');

  const unknown = await session.say('/leave');
  assert.equal(unknown.outcome.kind, 'unknown-command');
});
