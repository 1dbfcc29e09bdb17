import { errandAnswered, loop, onObjective, scenario } from '../../src/authoring.js';
import { IDLE_WORKERS, SMALL_WORKER, smallWork, workDone } from '../support/commands.js';
import { escapePattern } from '../support/texts.js';

const EVIDENCE =
  'tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 7, duplication: pass';

/** What a claim says about mutation testing, and the warning with a threshold of 70 and without one. */
const CLAIMS: readonly (readonly [mutants: string, warning: string | null, always?: 'always'])[] = [
  ['mutants: pass (70%)', null],
  ['80% mutants: pass', null],
  ['mutants: pass (69.99%)', 'mutation score 69.99% below threshold 70.00%'],
  ['mutants: pass', 'mutation score missing (threshold 70.00%)'],
  ['no word about it', ': missing mutation evidence in build.done payload'],
  ['mutants: fail (90%)', 'mutation testing failed', 'always'],
  ['Mutants: none, mutants: WARN (65%)', 'mutation score below threshold (65.00%)', 'always'],
  ['mutants: later', 'mutation testing status unknown', 'always'],
  // Ralph refuses this one: what it says about mutants does not matter any more.
  ['specs: fail, mutants: fail', null],
];

const CLAIM = [
  'cat >> "$RALPH_EVENTS_FILE" <<END',
  ...CLAIMS.map(([mutants]) =>
    JSON.stringify({
      topic: 'build.done',
      payload: `${EVIDENCE}, ${mutants}`,
      ts: '2026-01-01T00:00:00+00:00',
    }),
  ),
  'END',
  '',
].join('\n');

const WITH = 'run -c ralph.yml --no-tui -p Claim it all.';
const WITHOUT = 'run -c plain.yml --no-tui -p Claim it all.';
const HEAD = 'Mutation testing warning';
const NO_OTHER = `(?:(?!${HEAD})[\\s\\S])*`;

/** Exactly these warnings, in this order. Ralph colors what comes between the words. */
const warnings = (texts: readonly string[]) =>
  new RegExp(
    `^${NO_OTHER}${texts.map((text) => `${HEAD}[^\\n]*${escapePattern(text)}${NO_OTHER}`).join('')}$`,
  );
const texts = (wanted: (always: boolean) => boolean) =>
  CLAIMS.flatMap(([, text, always]) => (text !== null && wanted(always === 'always') ? [text] : []));

/** The warnings are in Ralph's log, which an earlier loop prints. */
export const mutationWarnings = scenario({
  id: 'mutation-warnings',
  // Only Ralph's log is judged, and of loops that the harness starts with their own configuration.
  lanes: ['sim'],
  backends: ['claude'],
  description:
    'With a threshold, Ralph warns of a mutation score that is lower or missing; a failed one is always a warning',
  covers: ['FR11'],
  expectedIterations: 1,

  arrange: (context) => {
    const config = loop({ maxIterations: 3 });
    return {
      config: {
        ...config,
        event_loop: { ...Object(config.event_loop), mutation_score_warn_threshold: 70 },
      },
      files: {
        'claim.sh': CLAIM,
        'plain.yml': 'cli: {backend: claude}\nevent_loop: {max_iterations: 3}\n',
      },
      before: [
        { ralph: ['run', '-c', 'plain.yml', '--no-tui', '-p', 'Claim it all.'] },
        { session: { prompt: 'Claim it all.' } },
      ],
      prompt: smallWork(context),
    };
  },

  expect: (context) => ({
    ...workDone(context),
    warned: errandAnswered(WITH, { stdout: warnings(texts(() => true)) }),
    warnedAnyway: errandAnswered(WITHOUT, { stdout: warnings(texts((always) => always)) }),
  }),

  agent: [onObjective('Claim it all').runs('sh claim.sh').completes(), SMALL_WORKER],

  saboteurs: {
    ...IDLE_WORKERS,
  },
});
