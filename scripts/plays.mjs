import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readPlays, writePlays } from './plays/store.mjs';

/**
 * Keeps attempts of a run as plays, from which tests/analyze/fault/plays.test.ts judges whose fault they are, without what no
 * judgement reads and without paths of this machine:
 *
 *     node scripts/plays.mjs <folder of the run> <live|target> <what was done> <none|agent|service|target> [scenario id...]
 */

/** What Ralph streams and logs: the rest of its output says how the loop went. */
const NOISE = /^(?:\{|\S+Z\s+INFO ).*\n?/gm;
const FOLDER = 'tests/analyze/fault/plays';
const [run, kind, did, fault, ...ids] = process.argv.slice(2);
if (run === undefined || fault === undefined)
  throw new Error('Expected a run, a file, what was done and whose fault it is.');

const records = readFileSync(join(run, 'journal.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const [started] = records;
const kept = records
  .filter(
    ({ type, scenarioId, attempt, evidence }) =>
      type === 'attempt-finished' &&
      attempt === 1 &&
      evidence !== null &&
      (ids.length === 0 || ids.includes(scenarioId)),
  )
  .map((attempt) => {
    const {
      covers: _covers,
      hash: _hash,
      ...planned
    } = started.planned.find(({ scenarioId }) => scenarioId === attempt.scenarioId);
    return {
      name: `${attempt.scenarioId}: ${did}`,
      did,
      fault,
      planned: { ...planned, covers: [] },
      attempt: trim(attempt),
    };
  });
const names = new Set(kept.map(({ name }) => name));
const files = readPlays(FOLDER);
const others = (files.get(`${kind}.jsonl`) ?? []).filter(({ name }) => !names.has(name));
writePlays(FOLDER, files.set(`${kind}.jsonl`, [...others, ...kept]));

function trim({
  type,
  at,
  scenarioId,
  backend,
  attempt,
  outcome,
  durationSeconds,
  error,
  drawn,
  interrupted,
  checks,
  evidence,
}) {
  const named = JSON.stringify(checks.map(({ about }) => about));
  const trimmed = {
    ...{ type, at, scenarioId, backend, attempt, outcome, durationSeconds, error, drawn, interrupted },
    ...{ quality: [], artifacts: '/run', workspace: null },
    // Only scripted agents have a script, and nothing may depend on it.
    checks: checks
      .filter(({ kind }) => kind !== 'scriptAnswered')
      .map((check) => (check.passed ? { ...check, expected: '', actual: '' } : check)),
    evidence: {
      ...evidence,
      stdout: { ...evidence.stdout, path: 'stdout.txt', text: evidence.stdout.text.replaceAll(NOISE, '') },
      stderr: { ...evidence.stderr, path: 'stderr.txt' },
      ...{ invocations: [], requests: [] },
      log: evidence.log?.filter(({ level }) => level !== 'INFO' && level !== 'DEBUG'),
      files: evidence.files.map((one) =>
        one.path.startsWith('.') && !named.includes(one.path)
          ? { ...one, preview: '', content: undefined }
          : one,
      ),
    },
  };
  const paths = [
    [evidence.cwd, '/workspace'],
    [resolve(run), '/run'],
    [started.environment.workspace, '/e2e'],
    [started.target.path, '/opt/ralph'],
    [process.cwd(), '/ralph-e2e'],
    [homedir(), '/home/user'],
  ];
  return JSON.parse(
    paths.reduce((json, [path, name]) => json.replaceAll(path, name), JSON.stringify(trimmed)),
  );
}
