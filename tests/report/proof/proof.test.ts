import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { NO_CHECK } from '../../../src/domain/proof/judge.js';
import type { Proof, ProofCheck, ProofSaboteur, ScenarioProof } from '../../../src/domain/proof/proof.js';
import { judgeProof } from '../../../src/domain/proof/totals.js';
import { writeMarkdown } from '../../../src/report/content/markdown.js';
import { renderProofMarkdown } from '../../../src/report/proof/markdown.js';
import { describeProof } from '../../../src/report/proof/matrix.js';
import { createProofReporter } from '../../../src/report/proof/terminal.js';
import { proofBlocks } from '../../../src/report/sections/report.js';
import { expectGolden } from '../../support/golden.js';
import { readOutline } from '../support/markdown-outline.js';

const HOSTILE = '\u001b[31m`x` | </details>\n# Heading\u202e';

function saboteur(fields: Partial<ProofSaboteur>): ProofSaboteur {
  return {
    name: 'parrot',
    origin: 'built-in',
    breaks: 'agent',
    verdict: 'noticed',
    reason: null,
    kills: [],
    missed: [],
    killed: [],
    killed_places: [],
    failure: null,
    diagnosed: null,
    fault: null,
    seconds: 1,
    processes: 1,
    artifacts: null,
    ...fields,
  };
}

function check(fields: Partial<ProofCheck>): ProofCheck {
  return {
    kind: 'completed',
    name: 'the loop completes',
    state: 'proved',
    reason: null,
    killed_by: [],
    shown_by: [],
    ...fields,
  };
}

const SCENARIO: ScenarioProof = {
  id: 'hat-single',
  backend: 'claude',
  covers: [],
  oracle: { outcome: 'passed', reason: null, broken: [], seconds: 1, processes: 1, artifacts: null },
  checks: [
    check({ killed_by: ['stops'] }),
    check({ name: HOSTILE, state: 'unkilled' }),
    check({ name: 'guarded', state: 'guard', reason: 'because' }),
  ],
  variants: [],
  saboteurs: [
    saboteur({
      killed: ['the loop completes', HOSTILE, 'no process is left behind'],
      killed_places: [0, 1, 4],
    }),
    saboteur({ name: 'leftovers', verdict: 'not-applicable', reason: 'no agent' }),
    saboteur({
      name: 'stops',
      origin: 'own',
      killed: ['the loop completes'],
      killed_places: [0],
      failure: 'EventMissing',
      diagnosed: 'Unknown',
    }),
    saboteur({
      name: HOSTILE,
      origin: 'own',
      verdict: 'survived',
      reason: 'no check noticed',
      failure: 'EventMissing',
    }),
  ],
};

const PROOF: Proof = {
  ...judgeProof([], {
    timestamp: '2026-01-20T14:30:00.000Z',
    harness_version: '0.1.0',
    catalogue: 'abc',
    complete: true,
    target: { kind: 'stand-in', version: '2.10.1' },
    lane: 'sim',
    interrupted: false,
    seconds: 61,
  }),
  scenarios: [SCENARIO],
  survivors: [{ scenario: 'hat-single', backend: 'claude', saboteur: HOSTILE }],
  left_out: [
    { scenario: 'a', backend: 'claude', saboteur: 'x', reason: 'real' },
    { scenario: 'b', backend: 'claude', saboteur: 'y', reason: 'real' },
  ],
};

describe('prove.md', () => {
  const page = renderProofMarkdown(PROOF);

  it('keeps every name in its place', () => {
    const { problems, headings } = readOutline(page);
    expect(problems).toEqual([]);
    expect(headings.filter((heading) => heading.includes('Heading'))).toEqual([]);
    expect(/[\u0000-\u0008\u001b\u202e]/.exec(page)).toBeNull();
  });

  it('has the matrix, and what the diagnosis made of a failure', () => {
    expectGolden(new URL('../golden/prove.md', import.meta.url), page);
  });
});

describe('the terminal', () => {
  function print(stream: PassThrough & { isTTY?: boolean; columns?: number }, quiet = false): string {
    let time = 0;
    const reporter = createProofReporter({ stream, color: false, quiet, now: () => time });
    reporter.start({ target: PROOF.target, lane: 'sim', scenarios: 1, jobs: 2 });
    time = 65_000;
    reporter.progress(3, 9, HOSTILE);
    reporter.scenario(SCENARIO);
    reporter.finish(PROOF, ['/x/prove.md']);
    reporter.stop();
    return String(stream.read());
  }

  it('tells on a stream that is no terminal how far it is with each scenario, without control sequences', () => {
    const text = print(new PassThrough());
    expectGolden(new URL('../golden/prove.txt', import.meta.url), text);
    expect(/[\u0000-\u0008\u001b\r\u202e]/.exec(text)).toBeNull();
  });

  it('rewrites one line on a terminal, and takes it away in the end', () => {
    const text = print(Object.assign(new PassThrough(), { isTTY: true, columns: 40 }));
    expect(text).toContain('3/9 runs, 1m 05s, `x` | </details> # H…\r\u001b[2K');
    expect(text.split('\u001b[2K').length - 1).toBe(text.split(/3\/9 runs/).length - 1);
  });

  it('says only what is wrong when it is quiet', () => {
    const text = print(new PassThrough(), true);
    expectGolden(new URL('../golden/prove.quiet.txt', import.meta.url), text);
  });
});

describe('the section in report.md', () => {
  const proof = {
    timestamp: '2026-01-20T14:30:00.000Z',
    target: { kind: 'stand-in', version: '2.10.1' },
    lane: 'sim',
    passed: true,
    checks: 5,
    proved: 4,
    saboteurs: 9,
    guards: 1,
    survivors: [],
    scenarios: [
      { scenario_id: 'weak', backend: 'claude', checks: 3, proved: 2 },
      { scenario_id: 'sound', backend: 'claude', checks: 3, proved: 3 },
      { scenario_id: 'elsewhere', backend: 'claude', checks: 3, proved: 1 },
    ],
  } as const;

  it('names the scenarios of the run that are proved in part or not at all', () => {
    const ran = (scenario_id: string) => ({ scenario_id });
    const text = writeMarkdown(
      proofBlocks({
        proof: { ...proof, survivors: [], scenarios: [...proof.scenarios] },
        results: [ran('weak'), ran('sound'), ran('new')],
      }),
    );
    expect(text).toContain('4 of 5, by 9 saboteurs; 1 guard');
    expect(text).toContain('unproved checks:** `weak` (2 of 3)\n');
    expect(text).toMatch(/not proved:\*\* `new`$/);
    expect(text).not.toMatch(/Survivors|elsewhere/);
  });

  it('is not there without a proof', () => {
    expect(proofBlocks({ proof: null, results: [] })).toEqual([]);
  });
});

describe('saboteurs that name checks that do not exist', () => {
  it('are in the sentence about the proof, with what is meant', () => {
    const misnamed = saboteur({
      ...{ origin: 'own', name: 'loses', verdict: 'missed' },
      missed: [`${NO_CHECK}"summ"; did you mean sum?`],
    });
    const missed = [
      { scenario: 'a', backend: 'claude' as const, saboteur: misnamed.name, missed: misnamed.missed },
    ];
    const proof: Proof = { ...PROOF, missed_kills: missed };
    expect(describeProof({ ...proof, passed: false, interrupted: false })).toContain(
      '; 1 saboteur names a check that does not exist ("summ"; did you mean sum?) - action required',
    );
  });
});
