import { forged, MINE, module } from '../parts.mjs';

const cheat = (id, way, lines, more = {}) => ({
  id,
  way,
  controls: 'the scripted agent',
  files: { 'mine.mjs': module(`export const all = [${lines}];`) },
  steps: [MINE],
  attacked: 'bad',
  ...more,
});
const make = (expect, agent, plan = '{}') =>
  `make('bad', { arrange: () => ({ ...arrange(), ...${plan} }), expect: (run) => [completed(), ${expect}], agent: [${agent}] })`;
const run = (id, way, checks, deed) => ({
  id,
  way,
  controls: 'the scripted agent',
  files: { 'mine.mjs': forged(`completed(), ${checks}`, deed) },
  steps: [MINE],
  attacked: 'forged',
});

/** Agents that do not do the work. */
export const standIn = [
  cheat(
    'echo',
    'repeats its prompt',
    make("agentSaid('DONE')", "onObjective(/([a-z ]+)/i).says('{{1}}').completes()"),
  ),
  cheat('silent', 'says nothing', make("agentSaid('Done')", "onObjective('Do it').completes()")),
  cheat(
    'never-completes',
    'never declares completion',
    "make('bad', { agent: [onObjective('Do it').says('Done.')] })",
  ),
  cheat(
    'no-rule',
    'has no rule for the prompt',
    "make('bad', { agent: [onObjective('Something else').says('Done.').completes()] })",
  ),
  cheat(
    'wrong-rule-first',
    'has no rule for the second prompt',
    "make('bad', { expect: () => [iterationsAtLeast(1)], agent: [onObjective('Do it').once().says('Not yet.')] })",
  ),
  cheat(
    'file-before',
    'gets the file that the check wants before the loop',
    make("fileContains('a.txt', 'x')", 'done()', "{ files: { 'a.txt': 'x' } }"),
  ),
  cheat(
    'file-before-touched',
    'only touches the file that was there before',
    make(
      "fileContains('a.txt', 'x')",
      "onObjective('Do it').runs('touch a.txt').says('Done.').completes()",
      "{ files: { 'a.txt': 'x' } }",
    ),
  ),
  cheat(
    'file-other-place',
    'writes the file in another place',
    make(
      "fileContains('a.txt', 'x')",
      "onObjective('Do it').runs('mkdir d; echo x > d/a.txt').says('Done.').completes()",
    ),
  ),
  cheat(
    'file-outside',
    'writes the file outside and links it',
    make(
      "fileContains('a.txt', 'x')",
      "onObjective('Do it').runs('echo x > ../a.txt; ln -s ../a.txt a.txt').says('Done.').completes()",
    ),
  ),
  cheat(
    'file-name-only',
    'puts the text into the name of a file',
    make(
      "fileContains('a.txt', 'never')",
      "onObjective('Do it').runs('touch a.txt a.txt-never').says('Done.').completes()",
    ),
  ),
  cheat(
    'event-said',
    'says the event instead of emitting it',
    make("eventEmitted('tests.passed')", "onObjective('Do it').says('I emitted tests.passed.').completes()"),
  ),
  cheat(
    'promise-quoted',
    'quotes the promise in the middle of a sentence',
    "make('bad', { agent: [onObjective('Do it').says('I will say LOOP_COMPLETE when I am done.')] })",
  ),
  cheat(
    'prompt-not-said',
    'says what only the prompt contains',
    make("agentSaid('Do it.', { iteration: 2 })", "onObjective('Do it').says('Do it.').completes()"),
  ),
  cheat(
    'fails-quietly',
    'fails and exits with 0',
    make("agentSaid('Done')", "onObjective('Do it').fails({ kind: 'exit', code: 0 })"),
  ),
  run(
    'script-replaced',
    'replaces its own script',
    "agentSaid('Other', { iteration: 2 })",
    'echo "{\\"rules\\":[]}" > "$RALPH_E2E_AGENT_SCRIPT"',
  ),
  run(
    'calls-removed',
    'removes the log of its calls',
    'iterationsAtLeast(2)',
    'rm -f "$RALPH_E2E_AGENT_LOG"',
  ),
  run(
    'calls-forged',
    'forges the log of its calls',
    'iterationsAtLeast(2)',
    'sed -i p "$RALPH_E2E_AGENT_LOG"',
  ),
  {
    ...cheat(
      'control',
      'does the work',
      make(
        "fileContains('a.txt', 'x')",
        "onObjective('Do it').writes('a.txt', 'x').says('Done.').completes()",
      ),
    ),
    attacked: null,
    control: true,
  },
];
