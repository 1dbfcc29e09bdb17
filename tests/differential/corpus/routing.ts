import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop, TWO_HATS } from '../case.js';

const hats = (...rows: readonly string[]) => `hats:\n${rows.map((row) => `  ${row}\n`).join('')}`;

/** Which hat an event wakes. */
export const ROUTING: readonly DifferentialCase[] = [
  {
    name: 'routing: coordinator, builder, reviewer, coordinator',
    covers: '§4.3 §7.12',
    config: loop({ loop: 'max_iterations: 8', more: TWO_HATS }),
    agent: [
      [emits('build.task', 'one')],
      [emits('build.finished', 'x')],
      [emits('review.ok', 'y')],
      [emits('LOOP_COMPLETE')],
    ],
  },
  {
    name: 'routing: a starting event puts its hat first',
    covers: '§4.3 starting_event',
    config: loop({ loop: 'max_iterations: 5, starting_event: build.task', more: TWO_HATS }),
    agent: [[emits('build.finished', 'x')], completes],
  },
  {
    name: 'routing: a starting event that nobody waits for',
    covers: '§4.3 nothing subscribes',
    config: loop({ loop: 'max_iterations: 4, starting_event: nobody.cares', more: TWO_HATS }),
    agent: [[emits('build.task')], completes],
  },
  {
    name: 'routing: a starting event without hats',
    covers: '§4.3',
    config: loop({ loop: 'max_iterations: 4, starting_event: work.start' }),
    agent: [[says('x')], completes],
  },
  {
    name: 'routing: wildcards match one segment',
    covers: '§4.3 a.*',
    config: loop({ loop: 'max_iterations: 6', more: TWO_HATS }),
    agent: [[emits('review.one', 'a')], [emits('review.one.two', 'b')], [emits('review', 'c')], completes],
  },
  {
    name: 'routing: a hat that waits for everything is a fallback',
    covers: '§4.3 * alone',
    config: loop({
      loop: 'max_iterations: 6',
      more: hats(
        'any: {name: Any, description: takes all, triggers: ["*"], publishes: [x.y], instructions: "Take."}',
        'one: {name: One, description: takes one, triggers: [a.b], publishes: [x.y], instructions: "One."}',
      ),
    }),
    agent: [[emits('a.b')], [emits('c.d')], completes],
  },
  {
    name: 'routing: a hat that waits for everything comes last',
    covers: '§4.3 * alone',
    config: loop({
      loop: 'max_iterations: 8',
      more: hats(
        'one: {name: One, description: takes one, triggers: [a.b, human.response], publishes: [x.y], instructions: "One."}',
        'zany: {name: Zany, description: takes all, triggers: ["*"], publishes: [x.y], instructions: "Take."}',
      ),
    }),
    agent: [
      [emits('a.b')],
      [emits('c.d')],
      [emits('human.response', 'hello')],
      [emits('a.b', 'x'), emits('c.d', 'two\nlines'), emits('more.start', 'lost')],
      completes,
    ],
  },
  {
    name: 'routing: two hats that want one event by pattern and by name',
    covers: '§4.3 every matching hat; first by id is active',
    config: loop({
      loop: 'max_iterations: 6',
      more: hats(
        'zeta: {name: Zeta, description: z, triggers: ["a.*"], publishes: [x.y], instructions: "Z."}',
        'alpha: {name: Alpha, description: a, triggers: ["a.b"], publishes: [x.y], instructions: "A."}',
      ),
    }),
    agent: [[emits('a.b', 'p')], [emits('a.c', 'q')], completes],
  },
  {
    name: 'routing: two events for two hats make both active',
    covers: '§4.3 several active hats',
    config: loop({ loop: 'max_iterations: 6', more: TWO_HATS }),
    agent: [[emits('build.finished', 'r'), emits('build.task', 'b')], completes],
  },
  {
    name: 'routing: kickoff topics are dropped beside others',
    covers: '§4.3 entrypoints are lost',
    config: loop({ loop: 'max_iterations: 6', more: TWO_HATS }),
    agent: [
      [emits('build.task', 'b'), emits('any.start', 'lost'), emits('task.resume', 'lost too')],
      [emits('any.start', 'alone')],
      completes,
    ],
  },
  {
    name: 'routing: an orphan goes to the coordinator',
    covers: '§4.3 orphans by emit',
    config: loop({ loop: 'max_iterations: 5, starting_event: build.task', more: TWO_HATS }),
    agent: [[emits('who.knows', 'x')], completes],
  },
  {
    name: 'routing: a silent hat falls back to the coordinator',
    covers: '§4.1 fallback task.resume',
    config: loop({ loop: 'max_iterations: 5, starting_event: build.task', more: TWO_HATS }),
    agent: [[says('nothing')], [says('nothing')], completes],
  },
  {
    name: 'routing: a hat that wakes itself',
    covers: '§4.3',
    config: loop({
      loop: 'max_iterations: 6, starting_event: step.go',
      more: hats(
        'walker: {name: Walker, description: walks, triggers: [step.go], publishes: [step.go, walk.over], instructions: "Walk."}',
      ),
    }),
    agent: [[emits('step.go', '1')], [emits('step.go', '2')], [emits('walk.over')], completes],
  },
  {
    name: 'routing: default_publishes when nothing was published',
    covers: '§4.3 default_publishes',
    config: loop({
      loop: 'max_iterations: 6, starting_event: build.task',
      more: hats(
        'builder: {name: Builder, description: builds, triggers: [build.task], publishes: [build.finished, build.other], default_publishes: build.finished, instructions: "Build."}',
        'reader: {name: Reader, description: reads, triggers: [build.finished], publishes: [read.ok], instructions: "Read."}',
      ),
    }),
    agent: [[says('nothing')], [emits('read.ok')], completes],
  },
  {
    name: 'routing: default_publishes steps back when something was published',
    covers: '§4.3 default_publishes',
    config: loop({
      loop: 'max_iterations: 6, starting_event: build.task',
      more: hats(
        'builder: {name: Builder, description: builds, triggers: [build.task], publishes: [build.finished, build.other], default_publishes: build.finished, instructions: "Build."}',
      ),
    }),
    agent: [[emits('build.other', 'x')], completes],
  },
  {
    name: 'routing: default_publishes must not complete the loop',
    covers: '§4.3 refused, stale after three',
    config: loop({
      loop: 'max_iterations: 7, starting_event: build.task',
      more: hats(
        'builder: {name: Builder, description: builds, triggers: [build.task], publishes: [build.finished], default_publishes: LOOP_COMPLETE, instructions: "Build."}',
      ),
    }),
    agent: [[says('nothing')]],
  },
  {
    name: 'routing: max_activations exhausts a hat',
    covers: '§4.3 max_activations',
    config: loop({
      loop: 'max_iterations: 7',
      more: hats(
        'builder: {name: Builder, description: builds, triggers: [build.task], publishes: [build.task], max_activations: 1, instructions: "Build."}',
      ),
    }),
    agent: [
      [emits('build.task', '1')],
      [emits('build.task', '2')],
      [emits('build.task', '3')],
      [emits('build.task', '4')],
      completes,
    ],
  },
  {
    name: 'routing: max_activations, somebody waits for the exhaustion',
    covers: '§4.3 <hat>.exhausted',
    config: loop({
      loop: 'max_iterations: 7, starting_event: build.task',
      more: hats(
        'builder: {name: Builder, description: builds, triggers: [build.task], publishes: [build.task], max_activations: 1, instructions: "Build."}',
        'rescue: {name: Rescue, description: rescues, triggers: [builder.exhausted], publishes: [rescue.ok], instructions: "Rescue."}',
      ),
    }),
    agent: [[emits('build.task', 'again')], [emits('rescue.ok')], completes],
  },
  {
    name: 'routing: hat scope drops what a hat may not publish',
    covers: '§4.2 enforce_hat_scope',
    config: loop({
      loop: 'max_iterations: 6, enforce_hat_scope: true, starting_event: build.task',
      more: TWO_HATS,
    }),
    agent: [
      [emits('other.thing', 'z')],
      [emits('build.task')],
      [emits('build.finished', 'k')],
      [emits('LOOP_COMPLETE')],
      completes,
    ],
  },
  {
    name: 'routing: hat scope, somebody waits for the violation',
    covers: '§4.2 <hat>.scope_violation',
    config: loop({
      loop: 'max_iterations: 6, enforce_hat_scope: true, starting_event: build.task',
      more: hats(
        'builder: {name: Builder, description: builds, triggers: [build.task], publishes: [build.finished], instructions: "Build."}',
        'police: {name: Police, description: watches, triggers: [builder.scope_violation], publishes: [LOOP_COMPLETE], instructions: "Watch."}',
      ),
    }),
    agent: [[emits('LOOP_COMPLETE', 'too early')], [emits('LOOP_COMPLETE', 'allowed')]],
  },
];
