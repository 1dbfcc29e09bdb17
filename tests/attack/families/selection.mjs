import { MINE, module, RUN } from '../parts.mjs';

const files = {
  'mine.mjs': module("export const all = [green, red, make('beyond', { beyondStandIn: 'cannot' })];"),
};
const call = (id, way, ...steps) => ({ id, way, controls: 'the command line', files, steps });

/** Calls that choose nothing, or less than they say. */
export const selection = [
  call('filter-nothing', 'filters by what nothing matches', `${MINE} --filter no-such-thing`),
  call(
    'filter-beside',
    'filters by what nothing matches, beside what something matches',
    `${MINE} --filter green --filter no-such-thing`,
  ),
  call(
    'filter-glob-beside',
    'gives a glob that matches nothing beside one that does',
    `${MINE} --filter 'gr*' --filter 'zz*'`,
  ),
  call(
    'filter-regex-beside',
    'gives a pattern that matches nothing beside one that does',
    `${MINE} --filter green --filter '/zz+/'`,
  ),
  call('filter-empty', 'gives an empty filter', `${MINE} --filter ''`),
  call(
    'test-beside',
    'names a test that does not exist beside one that does',
    `${MINE} --test green --test grene`,
  ),
  call(
    'test-filter-beside',
    'names a test, and filters by what nothing matches',
    `${MINE} --test green --filter no-such-thing`,
  ),
  call('exclude-all', 'leaves out everything', `${MINE} --exclude '*'`),
  call('exclude-nothing', 'leaves out what does not exist', `${MINE} --filter green --exclude no-such-thing`),
  call('filter-and-exclude', 'filters and leaves out the same', `${MINE} --filter green --exclude green`),
  call('all-skipped', 'runs what can only be skipped', `${MINE} --filter beyond`),
  {
    ...call(
      'skipped-counts',
      'fails on skipped tests',
      `${MINE} --filter green --filter beyond --fail-on skipped`,
    ),
    report: null,
  },
  call(
    'backend-idle',
    'names a backend on which nothing runs',
    `${RUN} opencode --scenarios mine.mjs --filter green`,
  ),
  call('last-failed-first', 'asks for what failed before anything ran', `${MINE} --last-failed`),
  call(
    'last-failed-emptied',
    'asks for what failed after the run was emptied',
    MINE,
    `: > $(echo out/runs/*/journal.jsonl); ${MINE} --last-failed`,
  ),
  call(
    'last-failed-damaged',
    'asks for what failed after the record was damaged',
    MINE,
    `sed -i 's/"outcome":"failed"/"outcome":"passed"/' out/runs/*/journal.jsonl; ${MINE} --last-failed`,
  ),
  call(
    'last-failed-removed',
    'asks for what failed after the run was removed',
    MINE,
    `rm -rf out/runs/*; ${MINE} --last-failed`,
  ),
  call(
    'last-failed-other-tests',
    'asks for what failed among tests that did not fail',
    MINE,
    `${MINE} --last-failed --filter green`,
  ),
  call('retries-hide', 'runs a failed test again until it fails again', `${MINE} --filter red --retries 2`),
  call('bail', 'stops at the first failure', `${MINE} --bail`),
  call('max-cost-none', 'allows no money', `${MINE} --max-cost 0 --filter red`),
  call(
    'known-issues-all',
    'calls every failure known',
    `printf 'red:\\n  upTo: 99.0.0\\n  reason: x\\n  link: y\\n  breaks:\\n    completed: /./\\n' > k.yml; ${MINE} --filter red --known-issues k.yml`,
  ),
  call(
    'known-issues-beside',
    'knows issues of a test that does not exist',
    `printf 'no-such-test:\\n  upTo: 99.0.0\\n  reason: x\\n  link: y\\n  breaks:\\n    completed: /./\\n' > k.yml; ${MINE} --filter green --known-issues k.yml`,
  ),
  call('allow-inconclusive', 'accepts what is inconclusive', `${MINE} --allow inconclusive --filter red`),
  call('scenarios-missing', 'names a file that does not exist', `${RUN} --scenarios nothing.mjs`),
  call(
    'scenarios-beside',
    'names a file that does not exist beside one that does',
    `${MINE} --filter green --add-scenarios nothing.mjs`,
  ),
  call('option-misspelt', 'misspells an option', `${MINE} --fitler red`),
  call('timeout-zero', 'allows no time', `${MINE} --filter green --timeout 0`),
  call('jobs-zero', 'allows no jobs', `${MINE} --filter green --jobs 0`),
  { ...call('control', 'one filter that matches', `${MINE} --filter green`), control: true },
  { ...call('control-two', 'two filters that match', `${MINE} --filter green --filter gr*`), control: true },
];
