import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { CONTAINMENTS } from '../../src/domain/evidence/containment.js';
import { bundleFixture, makeTempDir } from './support.js';

test.runIf(process.platform === 'linux')(
  'no program inherits what our caller has open, except what the command line names',
  async () => {
    const fixture = await bundleFixture('exec', 'list-descriptors', makeTempDir());
    const folder = openSync('/', 'r');
    onTestFinished(() => closeSync(folder));
    const child = spawn(process.execPath, [fixture, '/dev/fd/201'], {
      stdio: Object.assign(Array(202).fill('ignore'), { 1: 'pipe', 2: 'inherit', 200: folder, 201: folder }),
    });
    const [printed] = await Promise.all([text(child.stdout ?? []), once(child, 'exit')]);
    expect(printed.trim().split('\n')).toEqual(
      CONTAINMENTS.map((kind) => expect.stringMatching(new RegExp(`^${kind}(?: 201)?$`))),
    );
    expect(printed).toContain('tracking 201\n');
  },
);
