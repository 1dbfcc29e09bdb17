import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { CLI, tempFolder } from '../support/cli.js';
import { ROOT } from './support/tools.js';

const FOLDER = join(ROOT, 'examples/ci/kubernetes');

const built = mkdtempSync(join(tmpdir(), 'ralph-e2e-test-'));
const CHECK = join(built, 'check-manifest');

beforeAll(() => {
  execFileSync('go', ['build', '-o', CHECK, '.'], { cwd: join(ROOT, 'tests/workflows/check-manifest') });
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** Decodes manifests into the types of the Kubernetes API. */
function check(...paths: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(CHECK, paths, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const jobSchema = z.object({
  kind: z.literal('Job'),
  spec: z.looseObject({
    completions: z.number().optional(),
    template: z.object({
      spec: z.looseObject({
        containers: z.tuple([
          z.looseObject({
            env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
            command: z.array(z.string()),
            args: z.array(z.string()).default([]),
          }),
        ]),
      }),
    }),
  }),
});

function readJob(name: string) {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, name), 'utf8')).map((document) =>
    document.toJS(),
  );
  const { spec } = jobSchema.parse(documents.at(-1));
  const [{ env, command, args }] = spec.template.spec.containers;
  const variables = Object.fromEntries(env.map((variable) => [variable.name, variable.value]));
  return { completions: spec.completions ?? 1, variables, command: [...command, ...args] };
}

test('the manifests fit the Kubernetes API', () => {
  const { status, stderr } = check(...readdirSync(FOLDER).map((name) => join(FOLDER, name)));
  expect([stderr, status]).toEqual(['', 0]);
});

test.each([
  ['backoffLimitPerIndex', 'backoffLimitPerIndx'],
  ['completions: 4', 'completions: four'],
  ['batch/v1', 'batch/v9'],
])('a manifest with a mistake is refused: %s as %s', (right, wrong) => {
  const path = join(tempFolder(), 'job.yaml');
  writeFileSync(path, readFileSync(join(FOLDER, 'job.yaml'), 'utf8').replace(right, wrong));
  expect(check(path)).toMatchObject({ status: 1, stderr: expect.stringContaining(path) });
});

test('the pods of the job each run their part, and the merge makes one report of them', () => {
  const { completions, variables, command } = readJob('job.yaml');
  expect(variables.JOB_COMPLETIONS).toBe(String(completions));
  const folder = tempFolder();
  const results = join(folder, 'results');
  mkdirSync(results);
  const run = ([program = '', ...words]: readonly string[], cwd: string, env: Record<string, string>) => {
    mkdirSync(cwd, { recursive: true });
    // Some of the scenarios, in a folder of this machine and on the stand-in.
    const local = words.map((word) =>
      word
        .replace('ralph-e2e --mock', `ralph-e2e claude --mock ${FEW}`)
        .replace('/results', results)
        .replace(/^ralph-e2e /m, `${process.execPath} ${CLI} `),
    );
    const place = { HOME: folder, PATH: '/usr/bin:/bin', ...env, RESULTS: results, RALPH_BIN: 'embedded' };
    return program === 'ralph-e2e'
      ? spawnSync(process.execPath, [CLI, ...local], { cwd, env: place, encoding: 'utf8' })
      : spawnSync(program, local, { cwd, env: place, encoding: 'utf8' });
  };
  for (let index = 0; index < completions; index += 1) {
    const env = { ...variables, JOB_COMPLETION_INDEX: String(index) };
    const { status, stdout, stderr } = run(command, join(folder, `pod-${index}`), env);
    expect(status, `${stdout}${stderr}`).toBe(0);
  }
  const { status, stdout, stderr } = run(readJob('merge.yaml').command, results, {});
  expect(status, `${stdout}${stderr}`).toBe(0);
  const report = JSON.parse(readFileSync(join(results, 'merged/report.json'), 'utf8'));
  const outcomes = report.results.map(
    (result: Record<string, string>) => `${result.scenario_id} ${result.outcome}`,
  );
  expect(outcomes.toSorted()).toEqual(
    ['claude-connect', 'claude-single-iter', 'hat-instructions', 'memory-add'].map((id) => `${id} passed`),
  );
});

const FEW = '--filter claude-connect --filter claude-single-iter --test hat-instructions --test memory-add';
