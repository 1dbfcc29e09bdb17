import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { nameBlob } from '../../../src/blob/files.js';
import { packRun } from '../../../src/blob/pack.js';
import type { JournalEvent } from '../../../src/domain/journal.js';
import { dealTests, type ShardedTest } from '../../../src/domain/shard.js';
import { executionKey } from '../../../src/domain/vocabulary.js';
import { createSealer } from '../../../src/journal/seal.js';
import { openJournal } from '../../../src/journal/writer.js';
import { hashPlanned } from '../../../src/run/select/shard.js';
import { type AttemptFields, journal } from '../../report/support/journal.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** The tests of the runs here. Of two shards, the first has the first and the third. */
export const PLAN: readonly ShardedTest[] = [1, 2, 3, 4].map((number) => ({
  ...{ scenarioId: `test-${number}`, backend: 'claude', hash: `hash-${number}` },
}));

export interface Part {
  readonly index: number;
  readonly total?: number;
  readonly plan?: readonly ShardedTest[];
  /** Tests of other shards that this one ran, too. */
  readonly also?: readonly string[];
  /** Tests that are connect scenarios. */
  readonly gates?: readonly string[];
  /** Tests that the shard planned otherwise than the plan of all shards says. */
  readonly changed?: readonly string[];
  /** Tests that failed. */
  readonly failed?: readonly string[];
  /** The attempts of tests that neither passed nor failed at once. */
  readonly attempts?: Readonly<Record<string, readonly AttemptFields[]>>;
  readonly run?: Partial<RunStarted>;
  readonly interrupted?: boolean;
  /** Tests of which the run has no record. */
  readonly lost?: readonly string[];
  readonly ciRun?: string;
}

/** The records of one shard of a run whose folder is `workspace`. */
export function recordsOf(
  {
    index,
    total = 2,
    plan = PLAN,
    also = [],
    gates = [],
    changed = [],
    failed = ['test-2'],
    attempts = {},
    run,
    interrupted = false,
    lost = [],
    ciRun,
  }: Part,
  workspace: string,
): JournalEvent[] {
  const runId = `20260120-143000-00000000${index}`;
  const shards = dealTests(plan, total);
  const own = plan.filter(
    ({ scenarioId, backend }) =>
      also.includes(scenarioId) || shards.get(executionKey(scenarioId, backend)) === index,
  );
  return journal({
    run: {
      runId,
      lane: 'sim',
      target: { kind: 'stand-in', path: '/opt/ralph', version: '2.10.1', because: 'asked' },
      environment: {
        ...{ os: 'linux', node: 'v20.19.0', workspace, startedIn: '/repo' },
        ...{ credentialVariables: {}, inherited: [] },
      },
      shard: {
        ...{
          index,
          total,
          plan: plan.map((test) => ({ ...test, hash: hashOf(test), ...gateOf(test, gates) })),
        },
        ...(ciRun === undefined ? {} : { ciRun }),
      },
      ...run,
    },
    tests: own.map(({ scenarioId, hash }) => ({
      scenarioId,
      ...(hash === undefined ? {} : { hash }),
      ...(changed.includes(scenarioId) ? { description: 'Does something else' } : {}),
      attempts: lost.includes(scenarioId)
        ? []
        : (attempts[scenarioId] ?? [{ outcome: failed.includes(scenarioId) ? 'failed' : 'passed' }]).map(
            (fields, at) => ({
              ...fields,
              artifacts: `${workspace}/runs/${runId}/${scenarioId}-claude/${at + 1}`,
            }),
          ),
    })),
    end: { interrupted, durationSeconds: 10 * index },
  });
}

/** What the plan of all shards says of a test: a hash of all that a run records of it. */
function hashOf({ scenarioId, hash }: ShardedTest): string {
  const [started] = journal({ tests: [{ scenarioId, ...(hash === undefined ? {} : { hash }) }] });
  const [planned] = started?.type === 'run-started' ? started.planned : [];
  if (planned === undefined) throw new Error('expected a planned test');
  return hashPlanned(planned, true);
}

function gateOf({ scenarioId }: ShardedTest, gates: readonly string[]): { gate?: true } {
  return gates.includes(scenarioId) ? { gate: true } : {};
}

/** Writes the blob of a shard as a run does, with a file of each attempt, and returns its path. */
export async function writePart(folder: string, part: Part): Promise<string> {
  const { index, total = 2 } = part;
  const workspace = join(folder, `machine-${index}-of-${total}`);
  const records = recordsOf(part, workspace);
  const [started] = records;
  if (started?.type !== 'run-started') throw new Error('expected a beginning');
  const run = { id: started.runId, path: join(workspace, 'runs', started.runId) };
  mkdirSync(run.path, { recursive: true });
  const writer = openJournal(run);
  for (const event of records) {
    writer.append(event);
    if (event.type !== 'attempt-finished') continue;
    mkdirSync(join(event.artifacts, 'home'), { recursive: true });
    writeFileSync(join(event.artifacts, 'stdout.txt'), `${event.scenarioId} says hello\n`);
    writeFileSync(join(event.artifacts, 'agent-calls.jsonl'), 'written by somebody else');
    writeFileSync(join(event.artifacts, 'home/stdout.txt'), 'not for others');
  }
  await writer.close();
  const path = join(folder, nameBlob({ index, total }));
  await packRun(path, run, writer.records);
  return path;
}

/** A blob that is made by hand: the records of its journal, and its files. */
export interface Archive {
  readonly header?: object;
  readonly records?: readonly JournalEvent[];
  readonly files?: readonly { readonly path: string; readonly bytes: string }[];
  readonly more?: string;
}

export function packArchive({ header, records = [], files = [], more = '' }: Archive): Buffer {
  const seal = createSealer();
  const journal = records.map((record) => `${seal(JSON.stringify(record))}\n`).join('');
  const lines = [
    header ?? { blob: 'ralph-e2e', format: 1 },
    { path: 'journal.jsonl', bytes: journal },
    ...files,
  ];
  return gzipSync(`${lines.map((line) => `${JSON.stringify(line)}\n`).join('')}${more}`);
}
