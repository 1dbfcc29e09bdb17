import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../src/agent/builder.js';
import { startModelServer } from '../../src/agent/server/server.js';
import { BACKENDS, TOOL_RECIPES } from '../../src/backends/index.js';
import { setupGitRepo } from '../../src/kinds/conversation/projects/repo-and-files.js';
import { openInForm } from '../../src/kinds/conversation/session/conversation.js';
import { scriptedAttempt } from '../../src/lane/environment.js';
import { tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';

const RULES = [
  onPrompt('Look around').says('I look.').runs('echo found; exit 3').writes('a.txt', 'x').says('Done.'),
  onPrompt('outside').says('I read.').readsFile('/etc/hostname').says('Read.'),
  onPrompt('refused').refusesCredentials(),
  onPrompt('act without a word').writes('b.txt', 'x'),
  onPrompt('wait for ever').says('I wait.').runs('touch begun; sleep 1000').says('Over.'),
  onPrompt('what did I say')
    .when({ earlier: { regex: 'call me (\\w+)' } })
    .says('You are {{1}}.'),
  onAnyPrompt().says('You said it.'),
];

test('the real OpenCode holds a conversation with a process a turn', async () => {
  const base = realpathSync(tempFolder());
  const [project, home, artifacts] = [join(base, 'project'), join(base, 'home'), join(base, 'artifacts')];
  for (const folder of [project, home, artifacts]) mkdirSync(folder);
  await setupGitRepo(project);
  const script = { format: 1 as const, rules: RULES.map(({ rule }) => rule) };
  const server = await startModelServer({ script, recipes: TOOL_RECIPES });
  onTestFinished(server.close);
  const session = await openInForm('opencode', undefined, {
    executable: requireProgram('opencode'),
    cwd: project,
    env: scriptedAttempt([BACKENDS.opencode], { PATH: process.env.PATH ?? '' }, home, server.url),
    artifacts,
    pluginDirs: [],
    permissionMode: 'acceptEdits',
    allowedTools: [],
    args: [],
    sessionTimeoutSeconds: 900,
    marker: { name: 'TEST_SESSION', value: base },
    secrets: [],
  });
  onTestFinished(async () => void (await session.end()));
  await session.begin();
  const send = (prompt: string) => session.send(prompt, 300);

  expect(await send('-- call me alfred')).toMatchObject({
    outcome: { kind: 'completed' },
    text: 'You said it.',
  });
  const { id } = session;
  expect(id).toMatch(/^ses_/);

  const look = await send('Look around');
  expect(look).toMatchObject({ outcome: { kind: 'completed' }, text: 'I look.\nDone.' });
  expect(look.calls).toMatchObject([
    { name: 'bash', isError: true, result: expect.stringContaining('found') },
    { name: 'write', isError: false },
  ]);
  expect(look.inputTokens).toBeGreaterThan(0);

  expect((await send('act without a word')).outcome).toEqual({ kind: 'completed' });

  expect((await send('refused')).outcome).toMatchObject({ kind: 'api-error', status: 401 });
  // It rejects what lies outside its folder, says no more and exits 0.
  const outside = await send('outside');
  expect(outside.outcome).toMatchObject({ kind: 'limit' });
  expect(outside.denied).toEqual([outside.calls[0]?.id]);

  const waiting = send('wait for ever');
  await expect.poll(() => existsSync(join(project, 'begun')), { timeout: 120_000 }).toBe(true);
  await session.interrupt();
  expect((await waiting).outcome).toEqual({ kind: 'cancelled' });

  expect((await send('what did I say')).text).toBe('You are alfred.');
  expect(session.id).toBe(id);
  expect(session.log.illegal).toEqual([]);
  expect(await session.end()).toMatchObject({ exitCode: 0, survivors: [] });
});
