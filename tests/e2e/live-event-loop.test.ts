import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { redactRecord } from '../../src/exec/redact/record.js';
import { readEvents } from '../../src/kinds/ralph/evidence/events.js';
import { assembleIterations } from '../../src/kinds/ralph/evidence/iterations.js';
import { createReader } from '../../src/workspace/read-inside.js';
import { tempFolder } from '../support/cli.js';

/** Counts how often a signal could have been handled while the work was done. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const turn = () => {
    turns += 1;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  done = true;
  return turns;
}

const HOSTILE = '-eyJaaaaaaaaaa sk-ant- password= https://a:b '.repeat(100_000).slice(0, 4 * 1024 * 1024);

test('signals are handled while a large hostile file is read', async () => {
  const workspace = tempFolder();
  writeFileSync(join(workspace, 'notes.md'), HOSTILE);
  const reader = createReader(workspace, ['a-secret-value-1']);
  expect(await countTurns(() => reader.read('notes.md'))).toBeGreaterThanOrEqual(15);
});

test('signals are handled while very many events are read', async () => {
  const workspace = tempFolder();
  mkdirSync(join(workspace, '.ralph'));
  writeFileSync(join(workspace, '.ralph/current-events'), '.ralph/events.jsonl');
  writeFileSync(join(workspace, '.ralph/events.jsonl'), '{"topic":"a","ts":"b"}\n'.repeat(30_000));
  const reader = createReader(workspace, []);
  expect(await countTurns(() => readEvents(reader, new Date()))).toBeGreaterThanOrEqual(30);
});

test('signals are handled while the texts of an attempt are redacted', async () => {
  const evidence = { scratchpad: { after: HOSTILE }, iterations: [{ prompt: HOSTILE.slice(0, 300_000) }] };
  expect(await countTurns(() => redactRecord(evidence, []))).toBeGreaterThanOrEqual(17);
});

test('signals are handled between the answers of iterations', async () => {
  const lines = Array.from({ length: 50 }, (_, index) => ({
    number: index + 1,
    hat: 'ralph',
    lines: [`{"type":"assistant"}`],
    stderr: [],
  }));
  expect(
    await countTurns(() => assembleIterations(lines, [], { durations: new Map() })),
  ).toBeGreaterThanOrEqual(50);
});
