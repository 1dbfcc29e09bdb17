import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { onAnyPrompt, onPrompt } from '../../src/agent/builder.js';
import { startModelServer } from '../../src/agent/server/server.js';
import { BACKENDS, TOOL_RECIPES } from '../../src/backends/index.js';
import { setupGitRepo } from '../../src/kinds/conversation/projects/repo-and-files.js';
import { scriptedAttempt } from '../../src/lane/environment.js';
import { tempFolder } from '../support/cli.js';
import { requireProgram } from './programs.js';
import { runRaw } from './support/run-agent.js';

/** The CLIs that try again by themselves in the scripted lane. */
const AGENTS = [
  {
    name: 'claude',
    args: ['--print', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(*)', '--'],
  },
  { name: 'opencode', args: ['run'] },
] as const;

const RULES = [
  onPrompt('only talk').says('Here I am.').fails({ type: 'rate-limit', retryAfterSeconds: 1 }, 2),
  onPrompt('say nothing').fails({ type: 'overloaded' }, 2),
  onAnyPrompt()
    .says('I begin.')
    .writes('new/a.txt', 'A')
    .runs('cat new/a.txt > b.txt')
    .says('I end.')
    .fails({ type: 'server-error' }, 1),
];

describe.each(AGENTS)('the real $name', ({ name, args }) => {
  test.each([
    { prompt: 'only talk', failed: 2, answered: 1, said: 'Here I am.' },
    { prompt: 'say nothing', failed: 2, answered: 1, said: 'Done.' },
    { prompt: 'work', failed: 1, answered: 3, said: 'I end.' },
  ])('gets over failures that go away: $prompt', async ({ prompt, failed, answered, said }) => {
    const base = realpathSync(tempFolder());
    const [cwd, home] = [join(base, 'project'), join(base, 'home')];
    for (const folder of [cwd, home]) mkdirSync(folder);
    await setupGitRepo(cwd);
    const script = { format: 1 as const, rules: RULES.map(({ rule }) => rule) };
    const server = await startModelServer({ script, recipes: TOOL_RECIPES });
    onTestFinished(server.close);
    const env = {
      ...scriptedAttempt([BACKENDS[name]], { PATH: process.env.PATH ?? '' }, home, server.url),
      // The scripted lane has Claude Code try only once.
      CLAUDE_CODE_MAX_RETRIES: '5',
    };
    const { exitCode, output } = await runRaw(requireProgram(name), [...args, prompt], env, { cwd });
    expect(exitCode, output).toBe(0);
    expect(output).toContain(said);
    const asked = server.requests.filter(({ kind }) => kind === 'main');
    expect(asked.map(({ outcome }) => outcome)).toEqual([
      ...Array(failed).fill('failed-as-scripted'),
      ...Array(answered).fill('answered'),
    ]);
    if (prompt === 'work') expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('A');
  });
});
