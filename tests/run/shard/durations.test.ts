import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDurations } from '../../../src/run/shard/durations.js';
import { tempFolder } from '../../support/cli.js';

const RESULTS = [
  { scenario_id: 'a', backend: 'claude', outcome: 'passed', duration_seconds: 3 },
  { scenario_id: 'b', backend: 'claude', outcome: 'failed', duration_seconds: 7 },
  { scenario_id: 'c', backend: 'kiro', outcome: 'error', duration_seconds: 1 },
  {
    scenario_id: 'd',
    backend: 'kiro',
    outcome: 'skipped',
    duration_seconds: 0,
    skip_cause: { kind: 'not-ready' },
  },
  {
    scenario_id: 'e',
    backend: 'kiro',
    outcome: 'skipped',
    duration_seconds: 0,
    skip_cause: { kind: 'run-ended' },
  },
];

function read(content: string) {
  const file = join(tempFolder(), 'report.json');
  writeFileSync(file, content);
  return readDurations({ lane: 'sim', file });
}

describe('--durations', () => {
  test('is the only source: without it, each test counts the same on every machine', async () => {
    expect(await readDurations({ lane: 'sim', file: null })).toEqual({
      ...{ from: 'none', seconds: new Map(), idle: new Set() },
    });
  });

  test('takes the times of tests that ran; one that cannot run here takes almost none', async () => {
    const { from, seconds, idle } = await read(
      JSON.stringify({ schema_version: 1, lane: 'sim', results: RESULTS }),
    );
    expect(from).toBe('file');
    expect([...seconds]).toEqual([
      ['a on claude', 3],
      ['b on claude', 7],
      ['d on kiro', 0.1],
    ]);
    expect([...idle]).toEqual(['d on kiro']);
  });

  test.each([
    [
      'of another lane',
      JSON.stringify({ schema_version: 1, lane: 'live', results: [] }),
      'a report of the live lane',
    ],
    ['that is no JSON', '{', 'something else'],
    ['of another kind', '{"schema_version":1}', 'something else'],
    ['of another major version', '{"schema_version":9,"lane":"sim","results":[]}', 'has format 9.0'],
  ])('refuses a file %s', async (_, content, found) => {
    await expect(read(content)).rejects.toThrow(found);
  });

  test('refuses a file that is not there', async () => {
    const missing = { lane: 'sim', file: join(tempFolder(), 'none.json') } as const;
    await expect(readDurations(missing)).rejects.toThrow('found no readable file');
  });
});
