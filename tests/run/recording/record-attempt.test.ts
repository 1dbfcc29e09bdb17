import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { sampleContext } from '../../../src/domain/scenario/sample-context.js';
import { recordAttempt } from '../../../src/run/recording/record-attempt.js';
import { makeEvidence } from '../../domain/support/evidence.js';
import { tempFolder } from '../../support/cli.js';

test('an attempt whose recording cannot be written keeps its result and says why', async () => {
  const folder = tempFolder();
  const scenario = catalogue.find(({ id }) => id === 'claude-connect');
  if (scenario === undefined) throw new Error('no such scenario');
  const record = (artifacts: string) =>
    recordAttempt(
      {
        job: { scenario, backend: 'claude', attempt: 1 },
        settings: {
          run: { id: '20261117-065049-abcdef', path: folder },
          target: { kind: 'real', path: '/bin/ralph', version: '2.10.1' },
        },
        places: { artifacts },
      },
      sampleContext('claude', 'live'),
      { evidence: makeEvidence({}), secrets: [], workspace: { path: folder } },
    );
  expect(await record(join(folder, 'missing'))).toEqual({ notRecorded: expect.stringContaining('ENOENT') });
  mkdirSync(join(folder, 'there'));
  expect(await record(join(folder, 'there'))).toEqual({
    recordingSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
