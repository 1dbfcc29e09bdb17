import { HOOK_PHASES } from '../../../src/domain/evidence/ralph-words.js';
import { completes, emits, says } from '../agent.js';
import { type DifferentialCase, loop, run, TWO_HATS } from '../case.js';

/** A loop with these hooks, as a YAML mapping of phases. */
const hooked = (events: string, more = '') =>
  loop({ more: `hooks: {enabled: true${more}, events: {${events}}}\n` });

/** A hook at every phase that keeps what it is told. */
const EVERYWHERE = `hooks: {enabled: true, events: {${HOOK_PHASES.map(
  (phase) =>
    `${phase}: [{name: h, command: [sh, -c, "cat >> told.jsonl; echo >> told.jsonl"], on_error: warn}]`,
).join(', ')}}}\n`;

const COUNTING = '#!/bin/sh\necho run >> hook-runs.txt\n';

/** Fails as long as there is no file `fixed`. Another process then waits for the suspension, keeps what it says, and acts. */
const GATE = `${COUNTING}[ -e fixed ] && exit 0
(for i in $(seq 200); do [ -e .ralph/suspend-state.json ] && break; sleep 0.05; done
sed -E 's/"(loop_id|suspended_at)": "[^"]*"/"\\1": ""/' .ralph/suspend-state.json >> suspended.txt
sh act.sh) >/dev/null 2>&1 </dev/null &
exit 3
`;

const LATE = ', timeout_seconds: 1';
const HANGING = GATE.replace('exit 3', 'exec sleep 30');

const suspending = (
  name: string,
  {
    hook,
    act,
    phase = 'pre.iteration.start',
    gate = GATE,
  }: { hook: string; act: string; phase?: string; gate?: string },
) => ({
  name: `hook: suspends, ${name}`,
  covers: '§2 on_error: suspend',
  config: hooked(
    `${phase}: [{name: gate, command: [./gate.sh], on_error: suspend${hook}}], pre.loop.error: [{name: end, command: [touch, error.txt], on_error: warn}]`,
  ),
  files: { 'gate.sh': gate, 'act.sh': act },
  agent: [completes],
  log: /hook_name=gate/,
});

/** A refusal of the configuration, by `run` and by `hooks validate`. */
const refused = (name: string, hooks: string): DifferentialCase => ({
  name: `hook: refused, ${name}`,
  covers: '§2 hooks',
  config: loop({ more: `hooks: {enabled: true, ${hooks}}\n` }),
  commands: [run(), ['hooks', 'validate']],
});

const one = (fields: string) => `events: {pre.loop.start: [{name: x, command: [ls], ${fields}}]}`;

/** Hooks: how they suspend a loop, what is refused, and `ralph hooks validate`. */
export const HOOKS: readonly DifferentialCase[] = [
  suspending('resumed by the file', { hook: '', act: 'touch fixed .ralph/resume-requested\n' }),
  suspending('resumed by the command', {
    hook: '',
    act: 'touch fixed\ngit branch ralph/gate-loop\nralph loops resume gate-loop > answers.txt\n',
  }),
  suspending('stopped', { hook: '', act: 'touch .ralph/stop-requested\n' }),
  suspending('stopped before the loop starts', {
    hook: '',
    act: 'touch .ralph/stop-requested\n',
    phase: 'pre.loop.start',
  }),
  suspending('stopped after the agent completed', {
    hook: '',
    act: 'touch .ralph/stop-requested\n',
    phase: 'pre.loop.complete',
  }),
  suspending('and tries again with delays', {
    hook: ', suspend_mode: retry_backoff',
    act: 'touch .ralph/resume-requested\n',
  }),
  suspending('and recovers when it tries again with delays', {
    hook: ', suspend_mode: retry_backoff',
    act: '',
    gate: `${COUNTING}[ $(wc -l < hook-runs.txt) -ge 3 ]\n`,
  }),
  suspending('and recovers at the last of its attempts', {
    hook: ', suspend_mode: retry_backoff',
    act: '',
    gate: `${COUNTING}[ $(wc -l < hook-runs.txt) -ge 4 ]\n`,
  }),
  suspending('by taking too long', { hook: LATE, act: 'touch .ralph/resume-requested\n', gate: HANGING }),
  suspending('by taking too long, and tries again once it is resumed', {
    hook: `${LATE}, suspend_mode: wait_then_retry`,
    act: 'touch fixed .ralph/resume-requested\n',
    gate: HANGING,
  }),
  suspending('by taking too long, and recovers when it tries again with delays', {
    hook: `${LATE}, suspend_mode: retry_backoff`,
    act: '',
    gate: `${COUNTING}[ $(wc -l < hook-runs.txt) -ge 2 ] || exec sleep 30\n`,
  }),
  suspending('stopped between two attempts', {
    hook: ', suspend_mode: retry_backoff',
    act: '',
    gate: `${COUNTING}touch .ralph/stop-requested\nexit 1\n`,
  }),
  suspending('stopped before it is tried again', {
    hook: ', suspend_mode: wait_then_retry',
    act: 'touch .ralph/stop-requested\n',
  }),
  suspending('and tries again once it is resumed', {
    hook: ', suspend_mode: wait_then_retry',
    act: '[ -e fixed ] && exit\ntouch fixed .ralph/resume-requested\n',
  }),
  {
    name: 'hook: a loop that cannot be resumed',
    covers: '§10 loops resume',
    agent: [completes],
    commands: [
      ['loops', 'resume', 'nobody'],
      'git branch ralph/somebody; ralph loops resume somebody; mkdir -p .ralph; touch .ralph/resume-requested; ralph loops resume somebody',
      `printf '%s' '${JSON.stringify({
        schema_version: 1,
        state: 'suspended',
        loop_id: 'somebody',
        phase_event: 'pre.loop.start',
        hook_name: 'gate',
        reason: 'because',
        suspend_mode: 'wait_for_resume',
        suspended_at: '2026-01-31T00:00:00Z',
      })}' > .ralph/suspend-state.json; ralph loops resume somebody; rm .ralph/resume-requested; ralph loops resume somebody; ls .ralph`,
    ],
  },
  {
    name: 'hook: at plans and questions, and at a limit',
    covers: '§2 hooks',
    config: loop({
      loop: 'max_iterations: 2',
      more: `hooks: {enabled: true, events: {${[
        'pre.plan.created',
        'post.plan.created',
        'pre.human.interact',
        'post.human.interact',
        'pre.loop.complete',
        'pre.loop.error',
        'post.loop.error',
      ]
        .map(
          (phase) =>
            `${phase}: [{name: diary, command: [sh, -c, "sed -E 's/.*(\\"context\\":.*),\\"loop\\".*/\\\\\\\\1/' >> diary.txt; echo >> diary.txt"], on_error: warn}]`,
        )
        .join(', ')}}}\n`,
    }),
    agent: [[emits('plan.draft', 'a plan'), emits('human.interact', 'Which color?')], [says('x')]],
  },
  ...[
    {
      what: 'that completes',
      config: loop({ loop: 'max_iterations: 6', more: EVERYWHERE }),
      agent: [
        [emits('plan.draft', 'x')],
        [emits('human.interact', '{"question":"which?","choices":["b","a"]}')],
        [emits('LOOP_COMPLETE')],
      ],
    },
    {
      what: 'that fails with a hat',
      config: loop({ loop: 'max_iterations: 1, starting_event: build.task', more: EVERYWHERE + TWO_HATS }),
      agent: [[says('x')]],
    },
  ].map(({ what, config, agent }) => ({
    name: `hook: everything that it is told by a loop ${what}`,
    covers: '§2 hooks payload',
    config,
    agent,
  })),
  {
    name: 'hook: none when the loop is cancelled',
    covers: '§2 hooks',
    config: loop({
      loop: 'max_iterations: 3, cancellation_promise: loop.cancel',
      more: 'hooks: {enabled: true, events: {pre.loop.complete: [{name: a, command: [touch, a.txt], on_error: warn}], pre.loop.error: [{name: b, command: [touch, b.txt], on_error: warn}]}}\n',
    }),
    agent: [[emits('loop.cancel', 'enough')]],
  },
  {
    name: 'hook: one that hangs, one without a program, one that cannot start, one with bad metadata',
    covers: '§2 hooks',
    config: hooked(
      'pre.loop.start: [{name: hangs, command: [sleep, "30"], on_error: warn}, {name: gone, command: [./gone.sh], on_error: warn}, {name: unable, command: [./unable.sh], on_error: warn}, {name: talks, command: [echo, hello], on_error: warn, mutate: {enabled: true}}], post.loop.start: [{name: bad, command: [echo, "[]"], on_error: block, mutate: {enabled: true, format: JSON}}]',
      ', defaults: {timeout_seconds: 1}',
    ),
    files: { 'unable.sh': '#!/no/such/program\n' },
    agent: [completes],
    log: /hook_name=/,
  },
  {
    name: 'hook: one that takes too long blocks',
    covers: '§2 hooks timeout_seconds',
    config: hooked(
      `pre.loop.start: [{name: late, command: [sleep, "5"], on_error: block${LATE}}, {name: next, command: [touch, next.txt], on_error: warn}]`,
    ),
    agent: [completes],
    log: /hook_name=late/,
  },
  refused('a field of the future', `parallel: 2, ${one('on_error: warn')}`),
  refused('a hook of the future', one('on_error: warn, scope: global')),
  refused('no name', 'events: {pre.loop.start: [{command: [ls], on_error: warn}]}'),
  refused('an unknown policy', one('on_error: maybe')),
  refused('a zero default', `defaults: {timeout_seconds: 0}, ${one('on_error: warn')}`),
  refused('another zero default', `defaults: {max_output_bytes: 0}, ${one('on_error: warn')}`),
  refused('a zero limit', one('on_error: warn, max_output_bytes: 0')),
  refused('a mode without suspension', one('on_error: block, suspend_mode: retry_backoff')),
  refused('an unknown mode', one('on_error: suspend, suspend_mode: sometimes')),
  refused('mutation that is off', one('on_error: warn, mutate: {format: json}')),
  refused('mutation of the prompt', one('on_error: warn, mutate: {enabled: true, prompt: true}')),
  refused('mutation of something else', one('on_error: warn, mutate: {enabled: true, color: red}')),
  refused('metadata in XML', one('on_error: warn, mutate: {enabled: true, format: xml}')),
  {
    name: 'hook: validate finds what cannot run',
    covers: '§10 hooks validate',
    config: hooked(
      'pre.loop.start: [{name: same, command: [ls], on_error: warn}, {name: same, command: [./gone.sh], on_error: warn}, {name: plain, command: [./ralph.yml], on_error: warn}, {name: tool, command: [no-such-tool], on_error: warn}], post.loop.start: [{name: tool, command: [ls], on_error: warn, env: {PATH: /nowhere}}, {name: far, command: [./ralph.yml], cwd: sub, on_error: warn}]',
    ),
    commands: [
      ['hooks', 'validate'],
      ['hooks', 'validate', '--format', 'json'],
      ['hooks', 'validate', '-c', 'none.yml'],
      ['hooks'],
      ['hooks', 'list'],
    ],
  },
  {
    name: 'hook: preflight names what cannot run',
    covers: '§2 hooks',
    config: hooked(
      "pre.loop.start: [{name: a, command: [./gone.sh], cwd: tools, on_error: warn}, {name: a, command: ['true'], on_error: warn}], post.loop.start: [{name: b, command: [./ralph.yml], on_error: warn}, {name: c, command: ['true'], env: {PATH: tools}, on_error: warn}, {name: d, command: [no-such-tool], on_error: warn}]",
    ),
    // How to mend it, the stand-in says in its own words.
    commands: ['ralph preflight --check hooks | grep -v Fix:'],
  },
];
