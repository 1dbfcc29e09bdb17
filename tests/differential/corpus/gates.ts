import { completes, emits } from '../agent.js';
import { type DifferentialCase, loop, TWO_HATS } from '../case.js';

const FIVE = 'tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass';
const SEVEN = `${FIVE}, complexity: 7, duplication: pass`;
const VERIFIED =
  'quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: 82%, quality.mutation: 71%, quality.complexity: 7';

const payloads = (
  name: string,
  covers: string,
  topic: string,
  values: readonly string[],
): DifferentialCase => ({
  name,
  covers,
  config: loop({ loop: `max_iterations: ${values.length + 2}` }),
  agent: [...values.map((value) => [emits(topic, value)]), completes],
});

/** Events that are believed only with evidence. */
export const GATES: readonly DifferentialCase[] = [
  payloads('gate: build.done with all seven items', '§0.5 §4.2', 'build.done', [SEVEN]),
  payloads('gate: build.done with five, with none, and empty', '§0.5 §4.2', 'build.done', [
    FIVE,
    'all good',
    '',
  ]),
  payloads(
    'gate: build.done without one of the seven',
    '§0.5 each item counts',
    'build.done',
    SEVEN.split(', ').map((item) =>
      SEVEN.split(', ')
        .filter((other) => other !== item)
        .join(', '),
    ),
  ),
  payloads('gate: build.done, the number of complexity', '§4.2 complexity', 'build.done', [
    `${FIVE}, duplication: pass, complexity: 10`,
    `${FIVE}, duplication: pass, complexity: 10.5`,
    `${FIVE}, duplication: pass, complexity: ≤10`,
    `${FIVE}, duplication: pass, complexity: low`,
    `${FIVE}, duplication: pass, complexity: score 7 of 20`,
  ]),
  payloads('gate: build.done, duplication and its spelling', '§4.2 duplication', 'build.done', [
    `${FIVE}, complexity: 7, duplication: fail`,
    `${FIVE}, complexity: 7, duplication: passed`,
    `${FIVE}, complexity: 7 duplication: pass`,
    `${FIVE}, complexity: 7, no duplication: pass`,
  ]),
  payloads('gate: build.done, performance, specs and mutants', '§4.2 optional items', 'build.done', [
    `${SEVEN}, performance: regression`,
    `${SEVEN}, perf: fail`,
    `${SEVEN}, performance: pass`,
    `${SEVEN}, specs: fail`,
    `${SEVEN}, specs: pass`,
    `${SEVEN}, mutants: fail`,
    `${SEVEN}, mutants: warn (65%)`,
  ]),
  payloads('gate: build.done, case, colours and newlines', '§4.2 substring, ANSI stripped', 'build.done', [
    SEVEN.toUpperCase(),
    SEVEN.replace('tests: pass', '\u001b[32mtests: pass\u001b[0m'),
    SEVEN.replaceAll(', ', '\n'),
    SEVEN.replace('tests: pass', 'tests: passed 12/12'),
    SEVEN.replace('tests: pass', 'tests:pass'),
  ]),
  ...['', ', mutation_score_warn_threshold: 70'].map((threshold) => ({
    name: `gate: build.done, mutation testing only warns${threshold === '' ? '' : ', with a threshold'}`,
    covers: '§4.2 mutation_score_warn_threshold',
    config: loop({ loop: `max_iterations: 9${threshold}` }),
    agent: [
      ...[', mutants: pass (70%)', ', mutants: pass (69.9%)', ', mutants: pass', '', ', mutants: fail'].map(
        (mutants) => [emits('build.done', `${SEVEN}${mutants}`)],
      ),
      [emits('build.done', `${SEVEN}, mutants: warn (65%)`), emits('build.done', `${SEVEN}, mutants: later`)],
      completes,
    ],
  })),
  {
    name: 'gate: build.done to a hat that waits for it, refused and then accepted',
    covers: '§4.2 the gate with hats',
    config: loop({
      loop: 'max_iterations: 6, starting_event: build.task',
      more: 'hats:\n  builder: {name: Builder, description: builds, triggers: [build.task, build.blocked], publishes: [build.done], instructions: "Build."}\n  checker: {name: Checker, description: checks, triggers: [build.done], publishes: [check.ok], instructions: "Check."}\n',
    }),
    agent: [[emits('build.done', FIVE)], [emits('build.done', SEVEN)], [emits('check.ok')], completes],
  },
  {
    name: 'gate: three refused build.done in a row are a stale loop',
    covers: '§4.2 build.task.abandoned, stale',
    config: loop({ loop: 'max_iterations: 8' }),
    agent: [[emits('build.done', 'nothing')]],
  },
  {
    name: 'gate: three equal build.blocked of the agent abandon the task',
    covers: '§4.2 build.task.abandoned',
    config: loop({ loop: 'max_iterations: 8' }),
    agent: [
      [emits('build.blocked', 'same\na')],
      [emits('build.blocked', 'same\nb')],
      [emits('build.blocked', 'same\nc')],
      [emits('build.blocked', 'same\nd')],
      completes,
    ],
  },
  {
    name: 'gate: build.blocked with hats, abandoned',
    covers: '§4.2 build.task.abandoned with hats',
    config: loop({
      loop: 'max_iterations: 8, starting_event: build.task',
      more: 'hats:\n  builder: {name: Builder, description: builds, triggers: [build.task, build.blocked], publishes: [build.blocked], instructions: "Build."}\n',
    }),
    agent: [
      [emits('build.blocked', 'same\na')],
      [emits('build.blocked', 'same\nb')],
      [emits('build.blocked', 'same\nc')],
      completes,
    ],
  },
  payloads('gate: review.done', '§4.2 review.done', 'review.done', [
    'looks fine',
    'tests: pass',
    'tests: pass, build: fail',
    'tests: pass, build: pass',
  ]),
  payloads('gate: verify.passed', '§4.2 verify.passed', 'verify.passed', [
    'fine',
    'quality.tests: pass',
    VERIFIED,
    VERIFIED.replace('82%', '79%'),
    VERIFIED.replace('71%', '69.9%'),
    VERIFIED.replace('complexity: 7', 'complexity: 11'),
    VERIFIED.replace('lint: pass', 'lint: fail'),
  ]),
  {
    name: 'gate: verify.failed and other topics pass',
    covers: '§4.2 all other topics',
    config: loop({ loop: 'max_iterations: 4', more: TWO_HATS }),
    agent: [[emits('verify.failed', 'x'), emits('build.finish', 'y'), emits('builds.done')], completes],
  },
];
