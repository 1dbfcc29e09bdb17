import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { onAnyPrompt, onPrompt, type RuleBuilder } from '../../src/agent/builder.js';
import { startModelServer } from '../../src/agent/server/server.js';
import { BACKENDS, probeBackend, removeCredentials, TOOL_RECIPES } from '../../src/backends/index.js';
import { scriptedAttempt } from '../../src/lane/environment.js';
import { realPrograms, requireProgram } from './programs.js';
import { isInside, makeEnvironment, makeFolder } from './support/environment.js';
import { runRaw } from './support/run-agent.js';

/** How ralph starts each, a variable that logs it in, and files of a user's home that may reach the model. */
const AGENTS = [
  {
    name: 'codex',
    args: ['exec', '--yolo'],
    variable: 'CODEX_API_KEY',
    home: ['.codex/AGENTS.md', '.codex/CODEX.md', '.agents/AGENTS.md', 'AGENTS.md'],
    skills: ['.codex/skills', '.agents/skills', '.claude/skills'],
  },
  {
    name: 'gemini',
    args: ['--yolo', '-p'],
    variable: 'GEMINI_API_KEY',
    home: ['.gemini/GEMINI.md', '.gemini/AGENTS.md', 'GEMINI.md'],
    skills: ['.gemini/skills', '.agents/skills', '.claude/skills'],
  },
  {
    name: 'pi',
    args: ['-p', '--mode', 'json', '--no-session'],
    variable: 'ANTHROPIC_API_KEY',
    home: ['.pi/agent/AGENTS.md', '.pi/agent/APPEND_SYSTEM.md', '.pi/AGENTS.md', '.claude/CLAUDE.md'],
    skills: ['.pi/agent/skills', '.agents/skills', '.claude/skills'],
  },
] as const;

describe.each(AGENTS)('the real $name', ({ name, args, variable, home: instructions, skills }) => {
  const backend = BACKENDS[name];

  it('is found, tells its version and that nobody is logged in', async () => {
    const readiness = await probeBackend(backend, { env: makeEnvironment(name), timeoutMs: 60_000 });
    expect(readiness).toMatchObject({ ready: false, available: true, version: realPrograms()[name].version });
    expect(readiness.reason).toMatch(/^not authenticated: /);
    expect(readiness.authentication?.detail).not.toMatch(/exited with/);
  });

  it('is ready with a key in the environment, and no more once that is taken away', async () => {
    const env = { ...makeEnvironment(name), [variable]: 'some-key-of-the-user' };
    const readiness = await probeBackend(backend, { env, timeoutMs: 60_000 });
    expect(readiness).toMatchObject({ ready: true, reason: null });
    expect(JSON.stringify(readiness)).not.toContain('some-key-of-the-user');
    const without = removeCredentials(backend, env, makeFolder());
    expect((await probeBackend(backend, { env: without, timeoutMs: 60_000 })).ready).toBe(false);
  });

  it('does what the script says with its own tools, and asks nobody but our server, once a step', async () => {
    const rules = [
      onPrompt('go')
        .says('I begin.')
        .writes('a.txt', 'one\ntwo\n')
        .edits('a.txt', 'two', 'three')
        .readsFile('a.txt')
        .appends('a.txt', 'four\n')
        .runs('cat a.txt > b.txt; exit 3')
        .says('I end.')
        .says('LOOP_COMPLETE'),
    ];
    const { run, cwd, server } = await prepare(name, rules);
    const { exitCode, output } = await run([...args, 'go']);
    expect(exitCode, output).toBe(0);
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('one\nthree\nfour\n');
    expect(output).toMatch(/I end\.(?:\n|\\n)LOOP_COMPLETE/);
    expect(server.requests.map(({ kind, outcome, matched }) => [kind, outcome, matched])).toEqual(
      Array(6).fill(['main', 'answered', 'response[0]']),
    );
  });

  it('writes and reads files in folders that are not there yet', async () => {
    const paths = ['out/result.txt', "it's a/new folder/a.txt", '-p/-n.txt'];
    const work = paths.reduce(
      (rule, path) => rule.writes(path, `of ${path}`).appends(path, '!').readsFile(path),
      onPrompt('go').says('I begin.'),
    );
    const { run, cwd } = await prepare(name, [work.says('LOOP_COMPLETE')]);
    const { exitCode, output } = await run([...args, 'go']);
    expect(exitCode, output).toBe(0);
    expect(paths.map((path) => readFileSync(join(cwd, path), 'utf8'))).toEqual(
      paths.map((path) => `of ${path}!`),
    );
  });

  it('ends at once when its model refuses it, as the stand-in does', async () => {
    const { run, server } = await prepare(name, [onAnyPrompt().refusesCredentials()]);
    const { exitCode, output } = await run([...args, 'go']);
    // pi tells only in its last message.
    expect(exitCode).toBe(name === 'pi' ? 0 : 1);
    expect(output).toContain('invalid x-api-key');
    expect(server.requests).toHaveLength(1);
  });

  it('knows the option that chooses a model', async () => {
    const { run, server } = await prepare(name, [onAnyPrompt().says('Hi.')]);
    const [first = '', ...rest] = args;
    const before = name === 'codex' ? [first] : [];
    const after = name === 'codex' ? rest : args;
    const model = name === 'pi' ? 'scripted/scripted-model' : 'some-model';
    await run([...before, ...backend.modelArgs(model), ...after, 'go']);
    expect(server.requests).toMatchObject([{ model: name === 'pi' ? 'scripted-model' : 'some-model' }]);
  });

  it('takes from HOME only what we say that it inherits', async () => {
    const { run, home, bodies } = await prepare(name, [onAnyPrompt().says('Hi.')]);
    const files = [...instructions, ...skills.map((folder) => `${folder}/canary/SKILL.md`)];
    const canaries = files.map((file, index) => ({ file, word: `HOMEWORD${index}x` }));
    for (const { file, word } of canaries) {
      mkdirSync(dirname(join(home, file)), { recursive: true });
      const skill = `---\nname: canary-${word.toLowerCase()}\ndescription: Knows ${word}\n---\n`;
      writeFileSync(join(home, file), `${file.endsWith('SKILL.md') ? skill : ''}Remember ${word}.\n`);
    }
    await run([...args, 'go']);
    const reached = canaries.filter(({ word }) => bodies().includes(word)).map(({ file }) => file);
    const named = backend.inheritedFiles({ HOME: home }).map((path) => relative(home, path));
    expect(reached).not.toEqual([]);
    expect(reached.filter((file) => !named.some((place) => isInside(file, place)))).toEqual([]);
  });
});

/** A workspace and a home as the scripted lane makes them, and a model that plays the rules. */
async function prepare(name: (typeof AGENTS)[number]['name'], rules: readonly RuleBuilder[]) {
  const base = makeFolder();
  const [cwd, home, recordTo] = [join(base, 'workspace'), join(base, 'home'), join(base, 'requests.jsonl')];
  for (const folder of [cwd, home, join(cwd, '.git')]) mkdirSync(folder);
  const script = { format: 1 as const, rules: rules.map(({ rule }) => rule) };
  const server = await startModelServer({ script, recipes: TOOL_RECIPES, recordTo });
  onTestFinished(server.close);
  const env = scriptedAttempt([BACKENDS[name]], { PATH: process.env.PATH ?? '' }, home, server.url);
  return {
    ...{ cwd, home, server },
    bodies: () => readFileSync(recordTo, 'utf8'),
    run: (args: readonly string[]) => runRaw(requireProgram(name), args, env, { cwd }),
  };
}
