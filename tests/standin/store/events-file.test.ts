import { expect, test } from 'vitest';
import { agentEvents, agentWorkspace, HATS, pendingEvents, Workspace } from '../support.js';

const FULL_EVIDENCE =
  'tests: pass, lint: pass, typecheck: pass, audit: pass, coverage: pass, complexity: 7, duplication: pass';

test('events wake the hat that waits for them, and the coordinator for the rest', async () => {
  const run = await agentWorkspace(
    `case $n in
      1) ralph emit build.task "a wall";;
      2) ralph emit build.finished "a wall, done";;
      3) ralph emit nobody.waits "hm";;
      4) ralph emit LOOP_COMPLETE;;
    esac`,
    { loop: 'max_iterations: 8', yaml: HATS },
  ).run();
  expect(run).toMatchObject({ code: 0, hats: ['ralph', 'builder', 'reviewer', 'ralph'] });
  expect(agentEvents(run)).toEqual(['build.task', 'build.finished', 'nobody.waits', 'LOOP_COMPLETE']);
  expect(run.prompts.map(pendingEvents)).toEqual([
    ['task.start'],
    ['build.task'],
    ['build.finished'],
    ['nobody.waits'],
  ]);
  expect(run.prompts[1]).toContain('Event: build.task - a wall\n');
});

test('a starting event begins with its hat', async () => {
  const run = await agentWorkspace('ralph emit LOOP_COMPLETE', {
    loop: 'max_iterations: 3, starting_event: build.task',
    yaml: HATS,
  }).run();
  expect(run).toMatchObject({ code: 0, hats: ['builder'] });
  expect(run.events[0]).toMatchObject({ topic: 'build.task', triggered: 'planner', payload: 'do the thing' });
});

test('an event tag becomes a record: cut at 500 bytes, without target, preceded by a note if nobody waits for it', async () => {
  const run = await agentWorkspace(
    `case $n in
      1) echo "text <event topic=\\"big.one\\">$(printf %0600d 7)</event> text";;
      2) echo '<event topic="build.task" target="reviewer"> short </event>';;
      3) echo '<event topic="LOOP_COMPLETE">yes</event>';;
    esac`,
    { loop: 'max_iterations: 6', yaml: HATS },
  ).run();
  expect(run).toMatchObject({ code: 0, hats: ['ralph', 'ralph', 'builder'] });
  const [orphaned, big] = run.events.slice(1);
  expect(orphaned).toMatchObject({ topic: 'event.orphaned', hat: 'loop', iteration: 1 });
  expect(orphaned?.payload).toContain("Event 'big.one' has no subscriber hat.");
  expect(big).toMatchObject({ topic: 'big.one', hat: 'ralph', iteration: 1 });
  expect(big?.payload).toBe(`${'0'.repeat(500)}... [truncated, 600 chars total]`);
  expect(run.events.find(({ topic }) => topic === 'build.task')).toMatchObject({
    payload: 'short',
    triggered: 'builder',
    iteration: 2,
  });
  expect(pendingEvents(run.prompts[1])).toEqual(['event.orphaned', 'big.one']);
});

test('payloads are cut between characters', async () => {
  const run = await agentWorkspace(`echo '<event topic="a.b">x${'é'.repeat(400)}</event>'`, {
    loop: 'max_iterations: 1',
  }).run();
  const row = run.events.find(({ topic }) => topic === 'a.b');
  expect(row?.payload).toBe(`x${'é'.repeat(249)}... [truncated, 401 chars total]`);
});

test.each([
  ['build.done', 'all good', 'build.blocked', 'Missing backpressure evidence.'],
  [
    'build.done',
    FULL_EVIDENCE.replace(', complexity: 7', ''),
    'build.blocked',
    'Backpressure checks failed.',
  ],
  [
    'build.done',
    FULL_EVIDENCE.replace('complexity: 7', 'complexity: 11'),
    'build.blocked',
    'Backpressure checks failed.',
  ],
  ['build.done', `${FULL_EVIDENCE}, perf: regression`, 'build.blocked', 'Backpressure checks failed.'],
  ['build.done', `${FULL_EVIDENCE}, specs: fail`, 'build.blocked', 'Backpressure checks failed.'],
  ['build.done', FULL_EVIDENCE, 'build.done', FULL_EVIDENCE],
  ['review.done', 'looks fine', 'review.blocked', 'Missing verification evidence.'],
  ['review.done', 'tests: pass', 'review.blocked', 'Review verification failed.'],
  ['review.done', 'tests: pass, build: pass', 'review.done', 'tests: pass, build: pass'],
  ['verify.passed', 'trust me', 'verify.failed', 'Missing quality report.'],
  ['verify.passed', 'quality.tests: pass', 'verify.failed', 'Quality thresholds failed.'],
  [
    'verify.passed',
    'quality.tests: pass, quality.lint: pass, quality.audit: pass, quality.coverage: 80%, quality.mutation: 70%, quality.complexity: 10',
    'verify.passed',
    'quality.tests: pass',
  ],
])('%s with "%s" arrives as %s', async (topic, payload, arrived, text) => {
  const run = await agentWorkspace(`ralph emit ${topic} "${payload}"`, { loop: 'max_iterations: 2' }).run();
  expect(pendingEvents(run.prompts[1])).toEqual([arrived]);
  expect(run.prompts[1]).toContain(`Event: ${arrived} - ${text}`);
  // What the gate made of it exists in memory only.
  expect(agentEvents(run)).toEqual([topic, topic]);
});

test('broken lines are told to the agent and do not stop what is valid', async () => {
  const run = await agentWorkspace(
    `if [ $n = 1 ]; then
      echo '{broken' >> "$RALPH_EVENTS_FILE"
      echo '{"topic":"no.time"}' >> "$RALPH_EVENTS_FILE"
      echo '{"topic":"fine.one","ts":"now","payload":{"b":1,"a":2},"extra":3}' >> "$RALPH_EVENTS_FILE"
    else echo LOOP_COMPLETE; fi`,
  ).run();
  expect(run.code).toBe(0);
  expect(pendingEvents(run.prompts[1])).toEqual(['event.malformed', 'event.malformed', 'fine.one']);
  expect(run.prompts[1]).toContain('Content: {broken');
  expect(run.prompts[1]).toContain('missing field `ts`');
  expect(run.prompts[1]).toContain('Event: fine.one - {"a":2,"b":1}');
});

test('default_publishes speaks for a hat that says nothing', async () => {
  const yaml = HATS.replace(
    'publishes: [build.finished]',
    'publishes: [build.finished], default_publishes: build.finished',
  );
  const run = await agentWorkspace('[ $n = 1 ] || ralph emit LOOP_COMPLETE', {
    loop: 'max_iterations: 4, starting_event: build.task',
    yaml,
  }).run();
  expect(run).toMatchObject({ code: 0, hats: ['builder', 'reviewer'] });
  expect(agentEvents(run)).toEqual(['build.task', 'LOOP_COMPLETE']);
});

test('a hat that was active often enough is left alone, and the loop says so', async () => {
  const run = await agentWorkspace('ralph emit build.task "number $n"', {
    loop: 'max_iterations: 4, starting_event: build.task',
    yaml: HATS.replace('publishes: [build.finished]', 'publishes: [build.task], max_activations: 2'),
  }).run();
  expect(run.hats.slice(0, 2)).toEqual(['builder', 'builder']);
  expect(pendingEvents(run.prompts[2])).toEqual(['builder.exhausted']);
  expect(run.prompts[2]).not.toContain('BRICKS');
});

test('with a scope enforced, a hat publishes only what it declared', async () => {
  const run = await agentWorkspace(
    '[ $n = 1 ] && ralph emit LOOP_COMPLETE "too early"; [ $n = 2 ] && ralph emit a.b',
    {
      loop: 'max_iterations: 3, starting_event: build.task, enforce_hat_scope: true',
      yaml: HATS,
    },
  ).run();
  expect(pendingEvents(run.prompts[1])).toEqual(['builder.scope_violation']);
  expect(run.prompts[1]).toContain("Attempted to publish 'LOOP_COMPLETE': too early");
  expect(pendingEvents(run.prompts[2])).toEqual(['a.b']);
});

test('an event that arrives late is still found when the agent spoke of it', async () => {
  const run = await agentWorkspace(
    `if [ $n = 1 ]; then echo "I call ralph emit now"; (sleep 0.5; ralph emit late.event hello) > /dev/null 2>&1 &
    else echo LOOP_COMPLETE; fi`,
  ).run({ env: { RALPH_STANDIN_TIME_SCALE: '1' } });
  expect(run.code).toBe(0);
  expect(pendingEvents(run.prompts[1])).toEqual(['late.event']);
});

test('emit writes where the loop reads, from any folder, with keys in order', async () => {
  const workspace = agentWorkspace(
    `mkdir -p deep/er && cd deep/er
    ralph emit one.two "plain" --file elsewhere.jsonl
    ralph emit three '{"z":1,"a":[{"d":1,"c":2}]}' --json
    ralph emit four`,
    { loop: 'max_iterations: 1' },
  );
  await workspace.run();
  const lines = workspace.read(workspace.read('.ralph/current-events')).split('\n').slice(1, 4);
  expect(lines.map((line) => line.replace(/"ts":"[^"]+"/, '"ts":"T"'))).toEqual([
    '{"payload":"plain","topic":"one.two","ts":"T"}',
    '{"payload":{"a":[{"c":2,"d":1}],"z":1},"topic":"three","ts":"T"}',
    '{"payload":null,"topic":"four","ts":"T"}',
  ]);
  expect(workspace.has('deep/er/elsewhere.jsonl')).toBe(false);
});

test('emit refuses what it cannot write', async () => {
  const workspace = new Workspace();
  const broken = await workspace.run({ argv: ['emit', 'a.b', '{no', '--json'] });
  expect(broken.code).toBe(1);
  expect(broken.stderr).toContain('Error: Invalid JSON payload');
  expect(await workspace.run({ argv: ['emit'] })).toMatchObject({ code: 2 });
  expect(await workspace.run({ argv: ['emit', 'out.side', 'x'] })).toMatchObject({ code: 0 });
  expect(workspace.read('.ralph/events.jsonl')).toContain('"topic":"out.side"');
});

test('an urgent message stops one hand-off', async () => {
  const workspace = new Workspace({ '.ralph/urgent-steer.json': '{"messages":["use the blue one"]}' });
  const refused = await workspace.run({ argv: ['emit', 'a.b'] });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('1. use the blue one');
  expect(await workspace.run({ argv: ['emit', 'a.b'] })).toMatchObject({ code: 0 });
});
