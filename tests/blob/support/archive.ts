import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { nameBlob } from '../../../src/blob/format.js';
import { writeBlob } from '../../../src/blob/write.js';
import type { JournalEvent } from '../../../src/domain/journal.js';
import type { Shard } from '../../../src/domain/shard.js';
import { createSealer } from '../../../src/journal/seal.js';
import { openJournal } from '../../../src/journal/writer.js';
import { journal } from '../../report/support/journal.js';

type RunStarted = Extract<JournalEvent, { type: 'run-started' }>;

/** The tests of the runs here, each in the shard with its number. */
const PLAN = [1, 2, 1, 2].map((shard, index) => ({
  ...{ scenarioId: `test-${index + 1}`, backend: 'claude', shard, hash: `hash-${index + 1}` },
})) satisfies Shard['plan'];

export interface Part {
  readonly index: number;
  readonly total?: number;
  readonly plan?: Shard['plan'];
  readonly run?: Partial<RunStarted>;
  readonly interrupted?: boolean;
  /** Tests of which the run has no record. */
  readonly lost?: readonly string[];
  readonly ciRun?: string;
}

/** The records of one shard of a run whose folder is `workspace`. */
export function recordsOf(
  { index, total = 2, plan = PLAN, run, interrupted = false, lost = [], ciRun }: Part,
  workspace: string,
): JournalEvent[] {
  const runId = `20260120-143000-00000000${index}`;
  const own = plan.filter(({ shard }) => shard === index);
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
        ...{ index, total, plan },
        ...(ciRun === undefined ? {} : { ciRun }),
      },
      ...run,
    },
    tests: own.map(({ scenarioId, hash }) => ({
      scenarioId,
      ...(hash === undefined ? {} : { hash }),
      attempts: lost.includes(scenarioId)
        ? []
        : [
            {
              outcome: scenarioId === 'test-2' ? 'failed' : 'passed',
              artifacts: `${workspace}/runs/${runId}/${scenarioId}-claude/1`,
            },
          ],
    })),
    end: { interrupted, durationSeconds: 10 * index },
  });
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
  await writeBlob(path, run, writer.records);
  return path;
}

/** A file in a blob that is made by hand. */
export interface HandMade {
  readonly path: string;
  readonly content: string;
  readonly size?: number;
  readonly sha256?: string;
}

export interface Archive {
  readonly header?: object;
  readonly records?: readonly JournalEvent[];
  readonly files?: readonly (HandMade | string)[];
  readonly end?: string;
}

/** Makes a blob by hand. Its hash at the end is right: only what is inside is not. */
export function packArchive({ header, records = [], files = [], end }: Archive): Buffer {
  const seal = createSealer();
  const count = files.filter((file) => typeof file !== 'string').length;
  return closeArchive([
    `${JSON.stringify(header)}\n`,
    ...records.map((record) => `${seal(JSON.stringify(record))}\n`),
    '\n',
    ...files.map((file) => (typeof file === 'string' ? file : packFile(file))),
    end ?? `${JSON.stringify({ end: true, files: count, leftOut: 0 })}\n`,
  ]);
}

/** Compresses pieces, and appends the hash of the result. */
export function closeArchive(pieces: readonly string[]): Buffer {
  const packed = gzipSync(pieces.join(''));
  return Buffer.concat([packed, Buffer.from(`${createHash('sha256').update(packed).digest('hex')}\n`)]);
}

function packFile({ path, content, size = Buffer.byteLength(content), sha256 }: HandMade): string {
  const hash = sha256 ?? createHash('sha256').update(content).digest('hex');
  return `${JSON.stringify({ path, size, sha256: hash })}\n${content}\n`;
}
