import { describe, expect, test } from 'vitest';
import { runScheduled, type ScheduledJob } from '../../src/run/schedule.js';

/** Runs jobs that end only when told, and records who ran beside whom. */
function stage(
  jobs: readonly ScheduledJob<string>[],
  limits: { total: number; perLane: number; waiting?: number },
  stop = () => false,
) {
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const done = runScheduled(
    jobs,
    { ...limits, perLane: () => limits.perLane },
    (job) => {
      started.push(job);
      return new Promise<void>((resolve) => running.set(job, resolve));
    },
    stop,
  );
  const end = async (job: string) => {
    running.get(job)?.();
    running.delete(job);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { done, started, running: () => [...running.keys()], end };
}

const job = (name: string, lane: string, first = false): ScheduledJob<string> => ({ job: name, lane, first });

describe('runScheduled', () => {
  test('keeps the limits for all and for each lane', async () => {
    const { done, running, end } = stage([job('a1', 'a'), job('a2', 'a'), job('b1', 'b'), job('c1', 'c')], {
      total: 2,
      perLane: 1,
    });
    expect(running()).toEqual(['a1', 'b1']);
    await end('a1');
    expect(running()).toEqual(['b1', 'a2']);
    await end('b1');
    expect(running()).toEqual(['a2', 'c1']);
    await end('a2');
    await end('c1');
    expect(await done).toEqual([]);
  });

  test("jobs that mostly wait take nobody's place, up to their own limit", async () => {
    const waits = (name: string) => ({ ...job(name, 'a'), waits: true });
    const jobs = [waits('w1'), waits('w2'), waits('w3'), job('a1', 'a'), job('a2', 'a')];
    const { running, end } = stage(jobs, { total: 1, perLane: 1, waiting: 2 });
    expect(running()).toEqual(['w1', 'w2', 'a1']);
    await end('a1');
    expect(running()).toEqual(['w1', 'w2', 'a2']);
    await end('w1');
    expect(running()).toEqual(['w2', 'a2', 'w3']);
  });

  test('without a limit of their own they count like the others', () => {
    const jobs = [{ ...job('w1', 'a'), waits: true }, job('a1', 'a')];
    expect(stage(jobs, { total: 1, perLane: 1 }).running()).toEqual(['w1']);
  });

  test('what comes first holds back its lane, not the others', async () => {
    const { running, end } = stage([job('gate', 'a', true), job('a2', 'a'), job('b1', 'b')], {
      total: 9,
      perLane: 9,
    });
    expect(running()).toEqual(['gate', 'b1']);
    await end('gate');
    expect(running()).toEqual(['b1', 'a2']);
  });

  test('stops before the next start and returns what is left', async () => {
    let stopped = false;
    const { done, started, end } = stage(
      [job('a1', 'a'), job('a2', 'a'), job('a3', 'a')],
      { total: 1, perLane: 1 },
      () => stopped,
    );
    stopped = true;
    await end('a1');
    expect(await done).toEqual(['a2', 'a3']);
    expect(started).toEqual(['a1']);
  });

  test('jobs of one series run one after the other, and do not hold back the others', async () => {
    const turn = (name: string, series: string) => ({ ...job(name, 'a'), series });
    const { done, running, end } = stage(
      [turn('a1', 'a'), turn('b1', 'b'), turn('a2', 'a'), turn('b2', 'b')],
      {
        total: 9,
        perLane: 9,
      },
    );
    expect(running()).toEqual(['a1', 'b1']);
    await end('b1');
    expect(running()).toEqual(['a1', 'b2']);
    await end('a1');
    expect(running()).toEqual(['b2', 'a2']);
    await end('b2');
    await end('a2');
    expect(await done).toEqual([]);
  });
});
