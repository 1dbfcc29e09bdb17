import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkContainers } from '../../../src/isolation/docker/check-containers.js';
import { type Engine, probeDocker } from '../../../src/isolation/docker/engine.js';
import { covers } from '../../coverage/covers.js';
import { tempFolder } from '../../support/cli.js';

/** Connects to a docker whose `run` does what the script says, and records the calls. */
async function connect(run: string) {
  const folder = tempFolder();
  const program = join(folder, 'docker');
  writeFileSync(program, `#!/bin/sh\ncase "$1" in\nversion) echo 1 ;;\nrun) ${run} ;;\nesac\n`);
  chmodSync(program, 0o755);
  const health = await probeDocker({ PATH: `${folder}:${process.env.PATH}`, HOME: folder });
  if (!health.ok) throw new Error(health.detail);
  const { engine } = health;
  const calls: string[] = [];
  const limits: (number | undefined)[] = [];
  const call: Engine['call'] = (args, timeoutMs) => {
    calls.push(args.join(' '));
    limits.push(timeoutMs);
    return engine.call(args, timeoutMs);
  };
  return { engine: { ...engine, call }, calls: () => calls, limits: () => limits };
}

describe.skipIf(process.platform !== 'linux')('the health of containers', () => {
  covers('H56');

  test('is unknown once the engine has not answered in time, and its container is removed', async () => {
    const { engine, calls } = await connect('exec sleep 1000');
    await expect(checkContainers(engine, 200)).rejects.toThrow(
      'a container cannot run Node: no answer within 0.2 s.',
    );
    const name = /--name[= ](\S+)/.exec(calls()[0] ?? '')?.[1];
    expect(name).toMatch(/^ralph-e2e-/);
    expect(calls().map((call) => call.split(' ')[0])).toEqual(['run', 'rm']);
    expect(calls()[1]).toBe(`rm --force --volumes ${name}`);
  });

  test('is good if Node of this machine answers inside, for which it has at most 30 s', async () => {
    const { engine, calls, limits } = await connect(`echo ${process.version}`);
    // Only root can have layers.
    expect(await checkContainers(engine)).toBe(process.getuid?.() === 0);
    expect(calls()).toHaveLength(1);
    const [limit] = limits();
    expect(limit).toBeGreaterThan(0);
    expect(limit).toBeLessThanOrEqual(30_000);
  });

  test.each([
    ['another Node answers', 'echo v0.1.2', 'no output'],
    ['the engine refuses', 'echo no such image >&2; exit 125', 'no such image'],
  ])('is bad if %s, and no container is left', async (_what, run, why) => {
    const { engine, calls } = await connect(run);
    await expect(checkContainers(engine)).rejects.toThrow(`a container cannot run Node: ${why}.`);
    const made = (what: string) => calls().filter((call) => call.startsWith(`${what} `)).length;
    expect(made('rm')).toBe(made('run'));
    expect(made('run')).toBeGreaterThan(0);
  });
});
