import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BACKENDS, probeBackend, refuseCredentials, removeCredentials } from '../../src/backends/index.js';
import { createWorkspace } from '../../src/workspace/create-workspace.js';
import { openWorkspaceRoot } from '../../src/workspace/workspace-root.js';
import { realPrograms, requireProgram } from './programs.js';
import { isInside, makeEnvironment, makeFolder } from './support/environment.js';
import { startModelServer } from './support/model-server.js';
import { runClaude, runOpencode, runRaw } from './support/run-agent.js';
import { makeUserHome } from './support/user-home.js';

const AGENTS = [
  { name: 'claude', run: runClaude, variable: 'ANTHROPIC_API_KEY' },
  { name: 'opencode', run: runOpencode, variable: 'OPENAI_API_KEY' },
] as const;

describe.each(AGENTS)('the real $name', ({ name, run, variable }) => {
  const backend = BACKENDS[name];

  it('is found, tells its version and that nobody is logged in', async () => {
    const readiness = await probeBackend(backend, { env: makeEnvironment(name) });
    expect(readiness).toMatchObject({
      ready: false,
      available: true,
      authentication: { authenticated: false },
    });
    expect(readiness.version).toContain(realPrograms()[name].version);
    expect(readiness.fix).toContain(backend.loginHint);
  });

  it('is ready with a key in the environment', async () => {
    const env = { ...makeEnvironment(name), [variable]: 'some-key-of-the-user' };
    const readiness = await probeBackend(backend, { env });
    expect(readiness).toMatchObject({ ready: true, reason: null });
    expect(readiness.authentication?.source).toBe([backend.command, ...backend.probe.args].join(' '));
    expect(JSON.stringify(readiness)).not.toContain('some-key-of-the-user');
  });

  it('is not ready once its credentials are taken away', async () => {
    const env = { ...makeEnvironment(name), [variable]: 'some-key-of-the-user' };
    expect((await probeBackend(backend, { env: removeCredentials(backend, env, makeFolder()) })).ready).toBe(
      false,
    );
  });

  it('knows the option that chooses a model', async () => {
    const { output } = await runRaw(
      requireProgram(name),
      name === 'claude' ? ['--help'] : ['run', '--help'],
      {
        ...makeEnvironment(name),
      },
    );
    expect(output).toContain(backend.modelArgs('x')[0]);
  });

  it('takes from HOME only what we say that it inherits', async () => {
    const home = makeUserHome(makeFolder());
    const root = await openWorkspaceRoot(join(makeFolder(), '.e2e-tests'));
    const { path: cwd } = await createWorkspace(root, 'inherited');
    const server = await startModelServer({ answer: 'Hello.' });
    onTestFinished(server.close);
    await run({ executable: requireProgram(name), cwd, home: home.path, modelUrl: server.url });
    const bodies = server.requests.map(({ body }) => body).join('\n');
    const reached = [...home.canaries].filter(([, word]) => bodies.includes(word)).map(([file]) => file);
    const named = backend.inheritedFiles({ HOME: home.path }).map((path) => relative(home.path, path));
    expect(reached.filter((file) => !named.some((place) => isInside(file, place)))).toEqual([]);
    // OpenCode takes much over; ralph starts Claude Code without the user's settings, which shuts all of these out.
    expect(reached.length > 0).toBe(name === 'opencode');
  });
});

it('the real claude starts with refused credentials and fails at once', async () => {
  const { claude } = BACKENDS;
  const server = await startModelServer({ answer: '', refuse: true });
  onTestFinished(server.close);
  const env = {
    ...makeEnvironment('claude'),
    ANTHROPIC_API_KEY: 'of-the-user',
    ANTHROPIC_BASE_URL: server.url,
  };
  const refused = refuseCredentials(claude, env, makeFolder());
  const { exitCode, output } = await runRaw(requireProgram('claude'), ['--print', 'hello'], refused);
  expect(exitCode).toBe(1);
  expect(output).toMatch(/API key|401/);
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

it('the real opencode starts with refused credentials and fails at once', async () => {
  const { opencode } = BACKENDS;
  const server = await startModelServer({ answer: '', refuse: true });
  onTestFinished(server.close);
  const home = makeFolder();
  // Only the address of the service comes from here: everything else is what the backend says.
  mkdirSync(join(home, '.config', 'opencode'), { recursive: true });
  writeFileSync(
    join(home, '.config', 'opencode', 'opencode.json'),
    JSON.stringify({ provider: { anthropic: { options: { baseURL: `${server.url}/v1` } } } }),
  );
  const env = { ...makeEnvironment('opencode'), OPENAI_API_KEY: 'of-the-user' };
  const refused = refuseCredentials(opencode, env, home);
  const { exitCode, output } = await runRaw(requireProgram('opencode'), ['run', 'hello'], refused);
  expect(server.requests.some(({ path }) => path.startsWith('/v1/messages'))).toBe(true);
  expect(exitCode).toBe(1);
  expect(output).toContain('invalid x-api-key');
});
