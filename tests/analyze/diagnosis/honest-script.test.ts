import { describe, expect, it } from 'vitest';
import {
  completed,
  eventEmitted,
  fileEquals,
  hatActive,
  hatSequence,
  iterationCount,
  pendingEvents,
  promptContained,
  terminatedBecause,
} from '../../../src/authoring.js';
import type { CheckResult } from '../../../src/domain/check.js';
import type { HeldPromise } from '../../../src/domain/contract.js';
import type { Evidence } from '../../../src/domain/evidence/evidence.js';
import type { Diagnosis, Execution } from '../../../src/domain/report/analysis.js';
import { analysis } from '../../../src/harness/analysis.js';
import { attempt, broken, captured, iteration, journal } from '../../report/support/journal.js';

const RUN = {
  target: { kind: 'real', path: '/opt/ralph', version: '2.10.1' },
  lane: 'sim',
  agentIsHonest: true,
} as const;

interface Failed {
  readonly id?: string;
  readonly checks: Partial<CheckResult>[];
  readonly evidence?: Partial<Evidence>;
  readonly areas?: string[];
}

function execution({ id = 'hat-single', checks, evidence = {}, areas = [] }: Failed): Execution {
  const [started] = journal({ tests: [{ scenarioId: id, areas }] });
  const planned = started?.type === 'run-started' ? (started.planned[0] ?? null) : null;
  const outcome = checks.every(({ passed }) => passed) ? 'passed' : 'failed';
  const attempts = [attempt({ scenarioId: id, outcome, checks, evidence })];
  return { scenarioId: id, backend: 'claude', planned, attempts };
}

function diagnose(failed: Failed): Diagnosis {
  const [diagnosis] = analysis.diagnose([execution(failed)], RUN);
  if (!diagnosis) throw new Error('no diagnosis');
  return diagnosis;
}

const promise = (area: string, text = `Ralph keeps its word about ${area}.`): HeldPromise => ({
  area,
  promise: text,
  source: `ralph-core/src/${area}.rs: decide`,
});
const holding = (check: Partial<CheckResult>, ...promises: HeldPromise[]) => ({ ...check, promises });
const ended = (reason: string, code: number): Partial<Evidence> => ({
  exit: { kind: 'exited', code },
  termination: { reason, status: '', iterations: 1, exitCode: code },
});

describe('the hypothesis', () => {
  it('quotes the promise that a failed check holds Ralph to, and where Ralph decides it', () => {
    const found = diagnose({ checks: [holding(broken(fileEquals('a.txt', 'x')), promise('hooks'))] });
    expect(found).toMatchObject({
      rule: 'broken-promise',
      blames: 'target',
      areas: ['hooks'],
      root_cause_hypothesis:
        'Failed check: a.txt has the expected content. Ralph promises: Ralph keeps its word about hooks.',
      suggested_investigations: ["Read this place in Ralph's source: ralph-core/src/hooks.rs: decide"],
      potential_fixes: [],
    });
  });

  it('names first what the fewest scenarios hold Ralph to', () => {
    const [many, few] = [promise('hooks', 'A.'), promise('hats', 'B.')];
    const check = holding(
      broken(fileEquals('a.txt', 'x')),
      { ...many, holders: { promise: 9, source: 9 } },
      { ...few, holders: { promise: 1, source: 9 } },
    );
    expect(diagnose({ checks: [check] }).areas).toEqual(['hats', 'hooks']);
  });

  it('names the promises of the check that comes first, however many scenarios hold Ralph to them', () => {
    const many = { ...promise('limits', 'A.'), holders: { promise: 9, source: 9 } };
    const few = { ...promise('hats', 'B.'), holders: { promise: 1, source: 1 } };
    const end = holding(broken(completed()), many);
    const late = holding(broken(iterationCount(3)), few);
    expect(diagnose({ checks: [late, end], evidence: ended('max_iterations', 2) }).areas).toEqual([
      'limits',
      'hats',
    ]);
  });

  it('comes from the earliest iteration, not from the check that failed first', () => {
    const late = holding(broken(promptContained('b', { iteration: 4 })), promise('memories'));
    const early = holding(broken(promptContained('a', { iteration: 2 })), promise('routing'));
    const whole = holding(broken(fileEquals('a.txt', 'x')), promise('landing'));
    const prompt = '### GUARDRAILS\n';
    const evidence = {
      promptText: '',
      iterations: [1, 2, 3, 4].map((number) => iteration({ number, prompt })),
    };
    expect(diagnose({ checks: [whole, late, early], evidence }).areas).toEqual(['routing']);
  });

  it('leaves the end to the last: it follows from what went wrong before', () => {
    const end = holding(broken(completed()), promise('completion'));
    const file = holding(broken(fileEquals('a.txt', 'x')), promise('hooks'));
    const files: Evidence['files'] = [{ path: 'a.txt', change: 'added', sizeBytes: 1, preview: 'y' }];
    const evidence = { ...ended('completed', 0), files };
    expect(diagnose({ checks: [end, file], evidence }).areas).toEqual(['hooks']);
    // A loop that ends too early does not write its files.
    expect(diagnose({ checks: [end, file], evidence: ended('completed', 0) }).areas).toEqual(['completion']);
  });

  it('says which hat a pending event should have activated', () => {
    const check = holding(broken(hatActive('builder', { iteration: 2 })), promise('routing'));
    const configYaml = 'hats: {builder: {triggers: [build.*], instructions: Build it.}}';
    const prompt = '## PENDING EVENTS\n\nEvent: build.7 - now\n\n## WORKFLOW\n';
    const evidence = {
      configYaml,
      iterations: [iteration(), iteration({ number: 2, hat: 'ralph', prompt })],
    };
    expect(diagnose({ checks: [check], evidence }).root_cause_hypothesis).toBe(
      'build.7 is pending and triggers builder (build.*), but builder is not active. Ralph promises: Ralph keeps its word about routing.',
    );
  });

  it('says that the record of an end has the number of another iteration', () => {
    const stray = iteration({ number: 0, hat: null, prompt: null, said: '' });
    const evidence = { iterations: [stray, iteration({ hat: 'ralph', durationSeconds: null })] };
    const check = holding(broken(iterationCount(1)), promise('completion'));
    expect(diagnose({ checks: [check], evidence })).toMatchObject({
      rule: 'end-of-unknown-iteration',
      areas: ['history'],
    });
  });

  it('takes the end if the loop ended for another reason: files of the whole run follow from that', () => {
    const end = holding(broken(terminatedBecause('max_runtime', 2)), promise('limits'));
    const file = holding(broken(fileEquals('summary.md', 'x')), promise('history'));
    const evidence = ended('completed', 0);
    expect(diagnose({ checks: [end, file], evidence }).areas).toEqual(['limits']);
  });

  it('says why the loop was cut short, before what then never came', () => {
    const end = broken(completed());
    const never = holding(broken(promptContained('x', { iteration: 2 })), promise('routing'));
    const file = holding(broken(fileEquals('a.txt', 'x')), promise('landing'));
    const evidence = { ...ended('loop_stale', 1), iterations: [iteration()] };
    const found = diagnose({ checks: [end, never, file], evidence, areas: ['waves', 'hats'] });
    expect(found).toMatchObject({ rule: 'cut-short', areas: ['limits', 'routing', 'waves'] });
    expect(found.root_cause_hypothesis).toContain('after iteration 1 with loop_stale');
  });

  it('does not call an end unexpected that the scenario wants', () => {
    const wanted = { ...broken(terminatedBecause('loop_stale', 1)), passed: true };
    const file = holding(broken(fileEquals('a.txt', 'x')), promise('landing'));
    const evidence = { ...ended('loop_stale', 1), iterations: [iteration()] };
    expect(diagnose({ checks: [wanted, file], evidence }).areas).toEqual(['landing']);
  });

  it('does not take hats that only go on for wrong routing', () => {
    const hats = holding(broken(hatSequence('builder')), promise('routing'));
    const end = holding(broken(completed()), promise('completion'));
    const worn = (...names: string[]) => ({
      ...ended('max_iterations', 2),
      iterations: names.map((hat, index) => iteration({ number: index + 1, hat })),
    });
    const checks = [end, hats];
    expect(diagnose({ checks, evidence: worn('builder', 'builder') }).root_cause_hypothesis).toBe(
      'Failed check: the loop completes. Ralph promises: Ralph keeps its word about completion.',
    );
    expect(diagnose({ checks, evidence: worn('ralph', 'builder') }).areas).toEqual(['routing']);
  });

  it('says that only the exit code differs', () => {
    const check = holding(broken(terminatedBecause('max_iterations', 2)), promise('limits'));
    expect(diagnose({ checks: [check], evidence: ended('max_iterations', 0) })).toMatchObject({
      rule: 'exit-code-differs',
      areas: ['exit-codes'],
    });
  });

  it('does not call an exit code wrong that belongs to another end', () => {
    const check = holding(broken(completed()), promise('exit-codes'), promise('completion'));
    const found = diagnose({ checks: [check], evidence: ended('max_iterations', 2) });
    expect(found.areas).toEqual(['completion']);
  });

  it('falls back on what the scenario is about', () => {
    const found = diagnose({ checks: [broken(fileEquals('a.txt', 'x'))], areas: ['waves', 'hats', 'emit'] });
    expect(found).toMatchObject({ rule: 'expectation-not-met', areas: ['waves', 'hats'] });
  });

  it('names both sides of a completion that was said and not taken', () => {
    const said = iteration({ number: 1, said: 'Done.\nLOOP_COMPLETE' });
    const evidence = { ...ended('max_iterations', 2), iterations: [said, iteration({ number: 2 })] };
    expect(diagnose({ checks: [broken(completed())], evidence })).toMatchObject({
      rule: 'promise-not-taken',
      areas: ['completion', 'adapters'],
    });
    // Where the end is as the test expects, the loop may have gone on for a good reason.
    expect(diagnose({ checks: [broken(fileEquals('a.txt', 'x'))], evidence })).toMatchObject({
      rule: 'expectation-not-met',
    });
  });

  it('quotes the warnings in the log of Ralph', () => {
    const log = [
      { at: 't', level: 'INFO', module: 'ralph', text: 'starts' },
      { at: 't', level: 'WARN', module: 'ralph_core::event_loop', text: 'Rejecting completion event' },
    ];
    const checks = [holding(broken(fileEquals('a.txt', 'x')), promise('tasks'))];
    expect(diagnose({ checks, evidence: { log } }).evidence.at(-1)).toBe(
      'Ralph logged: WARN ralph_core::event_loop: Rejecting completion event',
    );
  });
});

describe('an honest script', () => {
  it.each([
    ['an event never came', [broken(eventEmitted('build.done'))]],
    ['the loop took longer', [broken(iterationCount(1))]],
    ['a file is missing', [broken(fileEquals('a.txt', 'x'))]],
  ])('is not blamed, and nothing is to be fixed in the scenario: %s', (_, checks) => {
    const found = diagnose({ checks, evidence: ended('max_iterations', 2) });
    expect(found.blames).toBe('target');
    expect(found.potential_fixes).toEqual([]);
  });
});

describe('causes', () => {
  const fail = (id: string, area: string, evidence: Partial<Evidence> = {}): Execution =>
    execution({ id, evidence, checks: [holding(broken(fileEquals('a.txt', 'x')), promise(area))] });
  const causesOf = (failures: readonly Execution[], passed: readonly Execution[] = []) => {
    const found = analysis.diagnose(failures, RUN);
    return analysis.listCauses(
      failures.flatMap((failure, index) => {
        const diagnosis = found[index];
        return diagnosis === undefined ? [] : [{ execution: failure, diagnosis }];
      }),
      passed,
    );
  };

  it('groups tests that point to the same area, the largest group first', () => {
    const causes = causesOf([fail('a', 'hooks'), fail('b', 'memories'), fail('c', 'memories')]);
    expect(causes.map(({ areas, tests }) => [areas, tests])).toEqual([
      [['memories'], ['b [claude]', 'c [claude]']],
      [['hooks'], ['a [claude]']],
    ]);
  });

  describe('an error of Ralph that names no place', () => {
    const broke = (id: string, areas: string[], said: string) =>
      execution({
        ...{ id, areas },
        evidence: {
          exit: { kind: 'exited', code: said.includes('panicked') ? 101 : 1 },
          stderr: stderrOf(said),
          termination: null,
        },
        checks: [
          holding(broken(completed()), promise('completion')),
          ...areas.map((area) => holding(broken(fileEquals('a.txt', 'x')), promise(area))),
        ],
      });
    const stderrOf = (text: string) => captured(`${text}\n`, 'stderr');

    it.each([
      'Error: No backend was found.',
      'Error: Failed to load hats',
      "thread 'main' panicked at /rustc/59807616/library/core/src/time.rs:1201:31: overflow",
    ])('leads to what its scenario is most about: %s', (said) => {
      const [cause] = causesOf([broke('a', ['adapters', 'hats'], said)]);
      expect(cause?.hypothesis).toContain(said.split(' ').at(-1));
      expect([cause?.areas, cause?.promises]).toEqual([['adapters'], [promise('adapters')]]);
    });

    it('is one cause of tests of several areas, and their promises say nothing about it', () => {
      const causes = causesOf(['adapters', 'hats'].map((area) => broke(area, [area], 'Error: No shell.')));
      expect(causes).toMatchObject([{ rule: 'target-gave-up', promises: [] }]);
      expect(causes[0]?.tests).toHaveLength(2);
    });
  });

  it('takes a broken record that shows in many areas for one cause', () => {
    const unrecorded = { termination: null, iterations: [iteration()] };
    const areas = ['hooks', 'memories', 'tasks', 'waves'];
    const causes = causesOf(areas.map((area) => fail(area, area, unrecorded)));
    expect(causes).toMatchObject([{ rule: 'no-termination-record', areas: ['history'] }]);
    expect(causes[0]?.tests).toHaveLength(4);
  });

  /** A prompt without the instructions of the active hat. */
  const BARE = '### GUARDRAILS\n## ACTIVE HAT\n\n### Event Publishing Guide\n';
  const CONFIG = 'hats:\n  mason:\n    triggers: [wall.task]\n    instructions: Lay brick 7.\n';
  const bare = (id: string, area: string) =>
    execution({
      id,
      evidence: {
        configYaml: CONFIG,
        promptText: '',
        iterations: [iteration({ hat: 'mason', prompt: BARE })],
      },
      checks: [holding(broken(promptContained('Lay brick 7.', { iteration: 1 })), promise(area))],
    });

  it('says no less about many failures than about one', () => {
    const [one] = causesOf([bare('a', 'hats')]);
    const areas = ['hats', 'routing', 'gates', 'adapters', 'completion'];
    const causes = causesOf(areas.map((area) => bare(area, area)));
    expect(causes).toHaveLength(1);
    expect(one?.promises.map(({ source }) => source)).toContainEqual(expect.stringContaining('hats_section'));
    expect(causes[0]?.promises).toEqual(expect.arrayContaining(one?.promises ?? []));
  });

  it('shows a cause by a test that names what most of its tests name', () => {
    const usual = holding(broken(fileEquals('b.txt', 'x')), promise('hooks', 'Each hook runs.'));
    const [cause] = causesOf([
      fail('special', 'hooks'),
      execution({ id: 'b', checks: [usual, broken(completed())] }),
      execution({ id: 'c', checks: [usual] }),
    ]);
    expect(cause?.tests).toEqual(['c [claude]', 'special [claude]', 'b [claude]']);
    expect(cause?.hypothesis).toMatch(/Ralph promises: Each hook runs\.$/);
  });

  it('leaves a fact alone that shows in one area only', () => {
    const unrecorded = { termination: null, iterations: [iteration()] };
    const causes = causesOf(['a', 'b', 'c', 'd'].map((id) => fail(id, 'hooks', unrecorded)));
    expect(causes).toMatchObject([{ rule: 'broken-promise', areas: ['hooks'] }]);
  });

  describe('contrast', () => {
    const blocks = (texts: number) => ({ iterations: [iteration({ texts })] });
    const red = ['a', 'b', 'c'].map((id) => fail(id, 'completion', blocks(2)));
    const green = (texts: number) =>
      ['d', 'e', 'f'].map((id) => execution({ id, checks: [], evidence: blocks(texts) }));

    it('names what all failed tests have and no passed one', () => {
      expect(causesOf(red, green(1))[0]?.contrast).toEqual([
        'has an answer of several text blocks: 3 failed, 0 passed; otherwise: 0 failed, 3 passed',
      ]);
    });

    it('says nothing if a test passed with it, or if there are too few', () => {
      expect(causesOf(red, green(2))[0]?.contrast).toEqual([]);
      expect(causesOf(red.slice(1), green(1))[0]?.contrast).toEqual([]);
    });

    it('compares settings without the names of hats', () => {
      const config = (name: string) => ({ configYaml: `hats:\n  ${name}:\n    max_activations: 2\n` });
      const failed = ['a', 'b', 'c'].map((id) => fail(id, 'hats', config(id)));
      expect(causesOf(failed, green(1))[0]?.contrast[0]).toContain('sets hats.*.max_activations: 3 failed');
    });
  });
});

describe('a loop that does not end in time', () => {
  const suspended = 'entering wait_for_resume gate hook_name="gate" phase_event="pre.iteration.start"';
  const log = (text: string): Evidence['log'] => [{ at: '', level: 'WARN', module: 'ralph', text }];
  const call = (input: string) => ({ id: null, name: 'Bash', input, result: null, isError: false });
  const played: Evidence['invocations'] = [
    {
      at: '',
      backend: 'claude',
      argv: [],
      cwd: '/',
      environmentNames: [],
      promptSource: 'stdin',
      promptBytes: 1,
      conversation: '',
      place: null,
      matched: null,
      outcome: 'played',
    },
  ];
  const late = (evidence: Partial<Evidence>): Failed => ({
    checks: [
      holding(broken(completed()), promise('completion', 'A loop completes.')),
      holding(broken(fileEquals('runs.txt', 'x')), promise('hooks', 'A suspended loop waits for its hook.')),
    ],
    evidence: {
      exit: { kind: 'timed-out', afterSeconds: 60 },
      termination: null,
      invocations: played,
      ...evidence,
    },
  });
  const begun = (change = {}) => [iteration({ number: 2, durationSeconds: null, ...change })];

  it('names the hook that suspended it, and the promises about that first', () => {
    const found = diagnose(
      late({ iterations: [iteration({ number: 2 })], log: log(`suspend: ${suspended}`) }),
    );
    expect(found).toMatchObject({ rule: 'still-running', blames: 'target', areas: ['hooks', 'completion'] });
    expect(found.root_cause_hypothesis).toMatch(
      /^Ralph was still running after 60 s: iteration 2 was over, and no other had begun\. Hook gate suspended it at pre\.iteration\.start, and it waits to be resumed\. Ralph promises: A suspended loop waits for its hook\./,
    );
  });

  it.each([
    [
      'the agent was not called',
      { iterations: begun({ said: '' }), invocations: [] },
      /the agent had not been called/,
    ],
    ['a command hangs', { iterations: begun({ toolCalls: [call('make')] }) }, /had not ended: "make"/],
    [
      'the answer is whole',
      { iterations: begun({ cli: { tools: [], permissionMode: '', whole: true } }) },
      /the agent's call had ended/,
    ],
    ['the log says more', { iterations: begun(), log: log('Merging') }, /It logged last: "Merging"/],
    [
      'a question is open',
      {
        iterations: begun(),
        events: [
          {
            topic: 'human.interact',
            payload: '?',
            timestamp: '',
            hat: null,
            iteration: null,
            source: 'agent' as const,
          },
        ],
      },
      /asked a question \(human\.interact\), and no answer was recorded/,
    ],
  ])('says it if %s', (_, evidence, words) => {
    expect(diagnose(late(evidence)).root_cause_hypothesis).toMatch(words);
  });

  it('never blames a backend or asks for a login, even if the script had no answer', () => {
    const lost = played.map((one) => ({ ...one, outcome: 'no-match' as const }));
    for (const invocations of [played, lost]) {
      const found = diagnose(late({ iterations: begun(), invocations }));
      expect(found.failure_type).toBe('TimeoutExceeded');
      expect(JSON.stringify(found)).not.toMatch(/backend hangs|waits for input|login|permission/);
    }
  });
});

describe('an event that was confirmed and not recorded', () => {
  it('points to what should have recorded it, before what should have delivered it', () => {
    const said = { id: null, name: 'Bash', input: '', result: 'Event emitted: a.x', isError: false };
    const prompt = '## PENDING EVENTS\n\nEvent: b.y - 1\n\n## NEXT';
    const found = diagnose({
      checks: [
        holding(broken(pendingEvents(['a.x', 'b.y'], { iteration: 2 })), promise('routing')),
        holding(broken(eventEmitted('a.x')), promise('emit')),
      ],
      evidence: {
        iterations: [iteration({ number: 1, toolCalls: [said] }), iteration({ number: 2, prompt })],
      },
    });
    expect(found.areas).toEqual(['emit']);
  });
});
