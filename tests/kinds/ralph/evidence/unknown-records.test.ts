import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../../../src/domain/evidence/evidence.js';
import { describeUnknownRecords } from '../../../../src/kinds/ralph/evidence/collect.js';
import { findUnknownLog } from '../../../../src/kinds/ralph/evidence/prompt-log.js';
import { createReader } from '../../../../src/workspace/read-inside.js';
import { tempFolder } from '../../../support/cli.js';

const EXITED = { kind: 'exited', code: 0 } as const;

describe('records in a form that nobody knows', () => {
  const describeAfter = (exit: Evidence['exit']) =>
    describeUnknownRecords({ events: ['name', 'ts'], history: null, promptLog: null }, exit);

  test('are described with what was expected, for each file', () => {
    const found = { events: ['name', 'ts'], history: [], promptLog: '## Turn 1' };
    expect(describeUnknownRecords(found, EXITED)).toEqual([
      'the events file has rows with name, ts (expected topic and ts)',
      'history.jsonl has rows with no fields (expected type.kind)',
      'prompt-log.md begins with "## Turn 1" (expected "# Iteration 1 — ralph")',
    ]);
  });

  test('count whether Ralph exited, was ended by a signal or hung until its time was up', () => {
    for (const exit of [
      EXITED,
      { kind: 'killed', signal: 'SIGTERM' },
      { kind: 'timed-out', afterSeconds: 9 },
    ] as const)
      expect(describeAfter(exit)).toHaveLength(1);
  });

  test('are no excuse for a Ralph that panicked', () => {
    expect(describeAfter({ kind: 'exited', code: 101 })).toEqual([]);
  });
});

test('a prompt log is unknown if it has text and no prompt', async () => {
  const workspace = tempFolder();
  const write = (name: string, text: string) => {
    mkdirSync(join(workspace, name), { recursive: true });
    writeFileSync(join(workspace, name, 'prompt-log.md'), text);
  };
  write('other', '\n## Turn 1\n\nDo it.\n');
  write('known', '# Iteration 1 — ralph\n\nDo it.\n');
  write('empty', '\n');
  const reader = createReader(workspace, []);
  const found = await Promise.all(
    ['other', 'known', 'empty', 'none'].map((folder) => findUnknownLog([folder], reader)),
  );
  expect(found).toEqual(['## Turn 1', null, null, null]);
});
