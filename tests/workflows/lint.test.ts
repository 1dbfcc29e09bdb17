import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { tempFolder } from '../support/cli.js';
import { ROOT, TOOLS } from './support/tools.js';

const WORKFLOWS = ['.github/workflows', 'examples/ci/github'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => join(folder, name)),
);

const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()),
  jobs: z.record(
    z.string(),
    z.looseObject({
      'timeout-minutes': z.number().optional(),
      permissions: z.record(z.string(), z.string()).optional(),
      steps: z.array(z.looseObject({ run: z.string().optional() })),
    }),
  ),
});

function actionlint(path: string) {
  const { status, stdout, stderr } = spawnSync(TOOLS.actionlint, ['-no-color', path], { encoding: 'utf8' });
  return { status, text: `${stdout}${stderr}` };
}

describe.each(WORKFLOWS)('%s', (path) => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const { permissions, jobs } = workflowSchema.parse(parse(text));

  test('has no mistake that actionlint finds', () => {
    expect(actionlint(join(ROOT, path))).toEqual({ status: 0, text: '' });
  });

  test('may only read, unless a job signs what it publishes', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const [name, job] of Object.entries(jobs))
      if (job.permissions !== undefined)
        expect([name, job.permissions]).toEqual(['publish', { 'id-token': 'write' }]);
  });

  test('pins every action by its commit, and says which version that is', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action ?? ''))).toEqual(
      [],
    );
  });

  test('limits the time of every job', () => {
    const endless = Object.entries(jobs).filter(([, job]) => job['timeout-minutes'] === undefined);
    expect(endless.map(([name]) => name)).toEqual([]);
  });

  test('puts no expression into a script: values come as variables', () => {
    const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  test('gives secrets only to the live job', () => {
    const trusted = Object.entries(jobs).filter(([, job]) => JSON.stringify(job).includes('secrets.'));
    expect(trusted.map(([name]) => name).filter((name) => name !== 'live')).toEqual([]);
  });
});

test('actionlint finds a misspelled key', () => {
  const path = join(tempFolder(), 'bad.yml');
  const good = readFileSync(join(ROOT, 'examples/ci/github/plugin.yml'), 'utf8');
  writeFileSync(path, good.replace('timeout-minutes', 'timeout-minute'));
  expect(actionlint(path)).toMatchObject({ status: 1, text: expect.stringContaining('timeout-minute') });
});
