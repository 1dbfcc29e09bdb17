import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { locateRalph } from '../../../src/kinds/ralph/locate.js';
import { tempFolder } from '../../support/cli.js';

const locate = (fault: string, asked: string | null = 'embedded') =>
  locateRalph({
    asked: asked ?? undefined,
    needed: asked !== null,
    standInServes: true,
    env: { RALPH_STANDIN_FAULT: fault, PATH: '/none' },
  });

function putRalph(version: string): string {
  const path = join(tempFolder(), 'ralph');
  writeFileSync(path, `#!/bin/sh\necho 'ralph ${version}'\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('RALPH_STANDIN_FAULT', () => {
  test('names what is broken in the stand-in, wherever it was found', async () => {
    expect(await locate('crash, lose-events')).toMatchObject({ faults: ['crash', 'lose-events'] });
    expect(await locate('crash', putRalph('2.10.1 (ralph-e2e stand-in)'))).toMatchObject({
      kind: 'stand-in',
      faults: ['crash'],
    });
  });

  test('breaks nothing if it is empty', async () => {
    for (const fault of ['', ' ,'])
      expect(await locate(fault)).toEqual({
        ...{ kind: 'stand-in', because: 'asked', version: '2.10.1' },
        path: expect.stringMatching(/dist\/standin\/bin\/ralph$/),
      });
  });

  test.each([
    [
      'crash,lose-event',
      'found "lose-event"',
      /^Did you mean lose-events\? `\S+ralph --faults` lists them\.$/,
    ],
    ['toString', 'found "toString"', /^`\S+ralph --faults` lists them\.$/],
  ])('refuses %s before anything runs', async (fault, message, hint) => {
    await expect(locate(fault)).rejects.toMatchObject({
      message: `RALPH_STANDIN_FAULT: expected faults of the stand-in, separated by commas, ${message}.`,
      hint: expect.stringMatching(hint),
    });
  });

  test('refuses a run that it cannot break', async () => {
    const real = putRalph('2.11.0');
    await expect(locate('crash', real)).rejects.toThrow(
      `RALPH_STANDIN_FAULT=crash breaks the stand-in for Ralph: expected a run on it, found ralph 2.11.0 at ${real}.`,
    );
    await expect(locate('crash', null)).rejects.toThrow('found no test that runs it.');
  });
});

test('a Ralph that may not be executed is refused, and may be no Ralph at all', async () => {
  const path = putRalph('2.11.0');
  chmodSync(path, 0o644);
  await expect(locate('', path)).rejects.toMatchObject({
    message: `--ralph names "${path}": expected an executable ralph there, found a file that may not be executed.`,
    hint: expect.stringContaining('make it executable with chmod +x'),
  });
  // A name without a slash is looked for on PATH, whatever the current folder has.
  await expect(locate('', 'package.json')).rejects.toThrow('found none');
});
