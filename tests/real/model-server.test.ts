import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createModelServer } from '../../src/harness/model-server.js';
import type { ScriptContent } from '../../src/index.js';
import { followRecipe, type RecipeName } from './support/recipe.js';

/** What docs/model-server.md says about the CLIs, with the CLIs. Nothing but the script may answer. */
async function play(name: RecipeName, script: ScriptContent, command: string) {
  const model = await createModelServer(script);
  onTestFinished(model.close);
  const { all = '', exitCode, project } = await followRecipe(name, model.url, command);
  expect(model.unanswered()).toEqual([]);
  const prompts = model.requests.flatMap(({ kind, prompt }) => (kind === 'main' ? [prompt] : []));
  return { all, exitCode, project, prompts };
}

const CODEX = 'codex exec --yolo --skip-git-repo-check hello </dev/null';

test.each([
  ['max_tokens', 'Incomplete response returned, reason: max_output_tokens', 1],
  ['refusal', 'Incomplete response returned, reason: content_filter', 6],
])('codex takes an answer with stop_reason %s for an error', async (stop_reason, message, asked) => {
  const script = { rules: [{ on: 'hello', say: 'Half.', stop_reason }] };
  const { all, exitCode, prompts } = await play('codex', script, CODEX);
  expect(exitCode, all).toBe(1);
  expect(all).toContain(message);
  expect(prompts).toHaveLength(asked);
});

test.each([
  ['max_tokens', 'Half.'],
  ['refusal', 'Half.'],
  ['end_turn', ''],
])('claude asks again after %s and "%s", and that is no prompt', async (stop_reason, say) => {
  const script = { rules: [{ on: { exact: 'hello' }, max: 1, say, stop_reason }] };
  const { all, exitCode, prompts } = await play('claude', script, "claude -p 'hello' </dev/null");
  expect(exitCode, all).toBe(0);
  expect(all.trim()).toBe(say);
  expect(prompts).toEqual(['hello', 'hello']);
});

test('claude reads a file that a script overwrites, with whatever tool it has for that', async () => {
  const script = { rules: [{ on: 'hello', steps: [{ write: 'a.txt', text: 'new' }, { say: 'Done.' }] }] };
  for (const flags of ['', '--disallowedTools Read', '--disallowedTools Read,Bash']) {
    const command = `echo old > a.txt; claude -p hello --permission-mode acceptEdits ${flags} </dev/null`;
    const { all, project } = await play('claude', script, command);
    expect(all).toContain('Done.');
    // Without a tool to read it, Claude Code does not change it.
    expect(readFileSync(join(project, 'a.txt'), 'utf8').trim()).toBe(flags.includes('Bash') ? 'old' : 'new');
  }
});

test('opencode without tools still asks for its user', async () => {
  const script = { rules: [{ on: 'a title', say: 'Answered.' }] };
  const command = `export OPENCODE_CONFIG_CONTENT="\${OPENCODE_CONFIG_CONTENT/\\{/{ \\"tools\\": { \\"*\\": false \\},}"
opencode run 'a title, working directory: /home' </dev/null`;
  const { all } = await play('opencode', script, command);
  expect(all).toContain('Answered.');
});
