import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shieldFromAgents } from '../../../src/kinds/ralph/shield.js';
import { tempFolder } from '../../support/cli.js';

/** Creates a `bin` folder as package managers do, with a binary named ralph and the given files. */
function binFolder(neighbours: readonly string[]): string {
  const folder = join(tempFolder(), 'bin');
  mkdirSync(folder);
  copyFileSync('/bin/sh', join(folder, 'ralph'));
  for (const name of neighbours) {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
  }
  return join(folder, 'ralph');
}

describe('shieldFromAgents', () => {
  test('a ralph beside an agent CLI runs from its own folder', async () => {
    const folder = join(tempFolder(), 'own');
    const ralph = binFolder(['claude']);
    expect(await shieldFromAgents(ralph, ['claude', 'opencode'], folder)).toBe(join(folder, 'ralph'));
  });

  test('any other stays where it is', async () => {
    const ralph = binFolder(['node']);
    expect(await shieldFromAgents(ralph, ['claude'], join(tempFolder(), 'own'))).toBe(ralph);
  });

  test('a script is not moved away from its files', async () => {
    const ralph = binFolder(['claude']);
    const script = join(dirname(ralph), 'wrapper');
    writeFileSync(script, '#!/bin/sh\n');
    expect(await shieldFromAgents(script, ['claude'], join(tempFolder(), 'own'))).toBe(script);
  });
});
