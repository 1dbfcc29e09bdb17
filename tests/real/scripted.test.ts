import { delimiter, dirname } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import type { ReportResult } from '../../src/domain/report/result.js';
import { bareSystemPath, CLI, tempFolder } from '../support/cli.js';
import { canUnshare, NAMESPACE } from './namespace.js';
import { type RealPrograms, requireProgram } from './programs.js';

interface Case {
  readonly backend: Exclude<keyof RealPrograms, 'ralph'>;
  readonly scenarios: number;
  readonly more?: readonly string[];
  /** The keys of the checks that may fail, because what they look at is a race in Ralph. */
  readonly races?: readonly string[];
}
/** The tiers that show a backend at work; the whole catalogue takes longer than a check before landing should. */
const FILTER =
  '/^(?:\\w+-(?:connect|single-iter)|claude-multi-iter|claude-completion|timeout-handling|max-iterations|auth-failure|backend-unavailable)$/';

const CASES: readonly Case[] = [
  { backend: 'claude', scenarios: 10 },
  { backend: 'opencode', scenarios: 6 },
  // About every fourth time, and on a busy machine nearly every time, ralph reads codex's last line on stderr after the
  // promise, which undoes the promise. The loop then ends an iteration later, or at its limit.
  { backend: 'codex', scenarios: 2, more: ['--retries', '3'], races: ['ends', 'iterations'] },
  { backend: 'gemini', scenarios: 2 },
  { backend: 'pi', scenarios: 2 },
];

describe.each(CASES)('the real ralph, the real $backend and a scripted model', (one) => {
  const { backend, scenarios, more = [], races = [] } = one;
  test(canUnshare ? 'pass without any route' : 'pass (this machine has no namespaces)', async () => {
    const command = [...(canUnshare ? NAMESPACE : []), process.execPath, CLI, backend, '--lane', 'scripted'];
    const [file = '', ...args] = [
      ...command,
      '--ralph',
      requireProgram('ralph'),
      '--json',
      '--filter',
      FILTER,
      ...more,
    ];
    const { stdout, stderr, exitCode } = await execa(file, args, {
      cwd: tempFolder(),
      env: { PATH: [dirname(requireProgram(backend)), bareSystemPath(), process.env.PATH].join(delimiter) },
      reject: false,
    });
    expect(stdout, stderr).not.toBe('');
    const report = reportSchema.parse(JSON.parse(stdout));
    const lost = report.results.filter((result) => lostRace(result, races));
    expect(report.results.filter((result) => !result.passed && !lost.includes(result))).toEqual([]);
    expect(report.summary.total).toBe(scenarios);
    expect(report.target).toMatchObject({ kind: 'real', version: '2.10.1' });
    expect(exitCode).toBe(lost.length === 0 ? 0 : 1);
  });
});

/** Whether checks of a race failed, and no others. */
function lostRace({ assertions }: ReportResult, races: readonly string[]): boolean {
  const broken = assertions.filter(({ passed }) => !passed);
  return broken.length > 0 && broken.every(({ key = '' }) => races.includes(key));
}
