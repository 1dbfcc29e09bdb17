import type { Promises } from '../../../src/authoring.js';

export const hooks: Promises = {
  'runs at its phase': {
    promise:
      'Each hook runs at its phase: around the start of the loop, the start of each iteration, and the end of the loop.',
    source: 'ralph-cli/src/loop_runner.rs: dispatch_phase_event_hooks',
    heldBy: { 'hooks-run': ['file'], 'hooks-at-error': ['diary'] },
    about: [
      'hook pre.loop.start',
      'hook post.loop.start',
      'hook pre.iteration.start',
      'hook post.iteration.start',
      'hook pre.loop.complete',
      'hook post.loop.complete',
    ],
  },
  'every iteration': {
    promise: 'The hooks of an iteration run in every iteration, not only in the first.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'hooks-at-error': ['diary'], 'hooks-payload': ['every'] },
    about: ['hook pre.iteration.start', 'hook post.iteration.start'],
  },
  'only when enabled': {
    promise: 'Hooks run only with `hooks.enabled: true`; by default they are off.',
    source: 'ralph-core/src/config.rs: HooksConfig',
    heldBy: { 'hooks-run': ['file'] },
    about: ['config hooks.enabled'],
  },
  'error or complete': {
    promise:
      'A loop that completes runs the loop.complete hooks, and one that ends for any other reason runs the loop.error hooks, never both.',
    source: 'ralph-cli/src/loop_runner.rs: loop_termination_phase_events',
    heldBy: { 'hooks-at-error': ['diary'], 'hooks-run': ['file'] },
    about: [
      'hook pre.loop.error',
      'hook post.loop.error',
      'hook pre.loop.complete',
      'hook post.loop.complete',
    ],
  },
  'around the record': {
    promise:
      'The pre hooks of the end run before Ralph records the end of the loop, the post hooks after it.',
    source: 'ralph-cli/src/loop_runner.rs: dispatch_pre_loop_termination_hooks',
    heldBy: { 'hooks-at-error': ['diary'] },
    about: ['hook pre.loop.complete', 'hook post.loop.complete'],
  },
  'plan created': {
    promise:
      'An event whose topic begins with `plan.` runs the plan.created hooks, before and after Ralph takes the event in; other events do not.',
    source: 'ralph-core/src/event_loop/mod.rs: has_pending_plan_events_in_jsonl',
    heldBy: { 'hooks-at-error': ['diary', 'plan'] },
    about: ['hook pre.plan.created', 'hook post.plan.created'],
  },
  'human interact': {
    promise: 'A question to a person runs the human.interact hooks, with the question in their payload.',
    source: 'ralph-core/src/event_loop/mod.rs: parse_human_interact_context',
    heldBy: { 'hooks-at-error': ['diary'] },
    about: ['hook pre.human.interact', 'hook post.human.interact', 'topic human.interact'],
  },
  'in order': {
    promise:
      'Several hooks of one phase run one after another in the order of the configuration, also after one failed.',
    source: 'ralph-core/src/hooks/engine.rs: resolve_phase_event',
    heldBy: { 'hooks-warn': ['trace'], 'hooks-block-everywhere': ['late'] },
  },
  command: {
    promise: 'A hook gets all arguments of its command, and its own variables beside those of Ralph.',
    source: 'ralph-core/src/hooks/executor.rs: HookExecutor::run',
    heldBy: { 'hooks-warn': ['trace'], 'hooks-run': ['file'] },
    about: ['config hooks.events.*.command', 'config hooks.events.*.env'],
  },
  'found on PATH': {
    promise: 'A command without a slash is looked up on PATH, or on the PATH that the hook itself sets.',
    source: 'ralph-core/src/hooks/executor.rs: resolve_hook_command',
    heldBy: { 'hooks-warn': ['trace'], 'hooks-block-everywhere': ['ask'] },
    about: ['config hooks.events.*.command', 'config hooks.events.*.env'],
  },
  folder: {
    promise: 'A hook runs in the workspace, or in its `cwd`, which is relative to the workspace.',
    source: 'ralph-core/src/hooks/executor.rs: resolve_hook_cwd',
    heldBy: { 'hooks-warn': ['trace'] },
    about: ['config hooks.events.*.cwd'],
  },
  payload: {
    promise:
      'A hook reads on stdin, as JSON, the phase, the loop with its id and folders, the iteration and its limit, and the hats.',
    source: 'ralph-core/src/hooks/engine.rs: build_payload_with_timestamp',
    heldBy: { 'hooks-payload': ['start', 'builder', 'coordinator'] },
  },
  'reason in the payload': {
    promise: 'Hooks at the end of the loop read why it ended.',
    source: 'ralph-cli/src/loop_runner.rs: build_loop_termination_payload_input',
    heldBy: { 'hooks-payload': ['reason'], 'hooks-at-error': ['diary'] },
    about: ['hook pre.loop.error', 'hook pre.loop.complete'],
  },
  warn: {
    promise: 'A hook that fails or cannot start with `on_error: warn` does not stop the loop.',
    source: 'ralph-cli/src/loop_runner.rs: disposition_from_on_error',
    heldBy: { 'hooks-warn': ['ends', 'fails'] },
    about: ['config hooks.events.*.on_error'],
  },
  block: {
    promise:
      'A hook that fails with `on_error: block` ends Ralph with exit code 1, and Ralph says which hook, where and why.',
    source: 'ralph-cli/src/loop_runner.rs: format_blocking_hook_reason',
    heldBy: { 'hooks-block': ['refuses', 'iterations'] },
    about: ['config hooks.events.*.on_error'],
  },
  'blocks at every phase': {
    promise:
      'A blocking hook blocks at every phase; before the start of the loop, the agent is not called at all.',
    source: 'ralph-cli/src/loop_runner.rs: fail_if_blocking_loop_start_outcomes',
    heldBy: {
      'hooks-block-everywhere': [
        'start',
        'started',
        'begin',
        'begun',
        'plan',
        'planned',
        'ask',
        'asked',
        'finished',
        'fail',
        'failed',
        'refuses',
        'calls',
      ],
    },
    about: ['config hooks.events.*.on_error'],
  },
  'missing command': {
    promise: 'A command that does not exist or is not executable counts as a failure of the hook.',
    source: 'ralph-core/src/hooks/executor.rs: resolve_hook_command',
    heldBy: { 'hooks-block-everywhere': ['begin', 'begun', 'ask'] },
    about: ['config hooks.events.*.command'],
  },
  timeout: {
    promise: 'A hook that runs longer than its timeout is killed, and counts as a failure that timed out.',
    source: 'ralph-core/src/hooks/executor.rs: wait_for_completion',
    heldBy: {
      'hooks-warn': ['hangs', 'slow'],
      'hooks-block-everywhere': ['started'],
      'hooks-time-out': ['blocks', 'warns', 'waits', 'retries', 'passes'],
    },
    about: ['config hooks.events.*.timeout_seconds', 'config hooks.defaults.timeout_seconds'],
  },
  'hook over default': {
    promise: 'A setting of the hook itself wins over `hooks.defaults`.',
    source: 'ralph-core/src/hooks/engine.rs: ResolvedHookSpec::from_spec',
    heldBy: {
      'hooks-warn': ['slow', 'roomy'],
      'hooks-suspend': ['waits', 'again'],
      'hooks-suspend-stop': ['mode'],
    },
    about: [
      'config hooks.defaults.timeout_seconds',
      'config hooks.defaults.max_output_bytes',
      'config hooks.defaults.suspend_mode',
    ],
  },
  'output limit': {
    promise:
      'Of each output stream of a hook, Ralph keeps the first `max_output_bytes`, and records that it cut the rest.',
    source: 'ralph-core/src/hooks/executor.rs: capture_stream_output',
    heldBy: { 'hooks-warn': ['loud', 'roomy'] },
    about: ['config hooks.events.*.max_output_bytes', 'config hooks.defaults.max_output_bytes'],
  },
  'suspend and resume': {
    promise:
      'A hook that fails with `on_error: suspend` stops the loop until somebody resumes it; Ralph writes down which hook suspended it, where and why, and removes both files when it goes on.',
    source: 'ralph-cli/src/loop_runner.rs: wait_for_resume_if_suspended',
    heldBy: {
      'hooks-suspend': ['waits', 'held', 'answers', 'nothingLeft', 'ends', 'calls'],
      'loops-resume': ['resumed', 'ends', 'calls', 'suspended'],
      'hooks-time-out': ['suspended'],
    },
    about: ['config hooks.events.*.on_error', 'config hooks.events.*.suspend_mode', 'command loops resume'],
  },
  'stop while suspended': {
    promise: 'A stop request ends a suspended loop as stopped, and the loop.error hooks run.',
    source: 'ralph-cli/src/loop_runner.rs: wait_for_resume_if_suspended',
    heldBy: { 'hooks-suspend-stop': ['ends', 'neverCalled', 'diary', 'runs'] },
    about: ['config hooks.events.*.suspend_mode', 'reason stopped'],
  },
  'retry with backoff': {
    promise:
      'With `retry_backoff`, Ralph runs the hook up to three more times with growing delays, goes on as soon as it passes, and else waits to be resumed.',
    source: 'ralph-cli/src/loop_runner.rs: run_retry_backoff_policy',
    heldBy: { 'hooks-suspend': ['runs', 'passes', 'never', 'patience', 'attempts'] },
    about: ['config hooks.events.*.suspend_mode'],
  },
  'wait then retry': {
    promise:
      'With `wait_then_retry`, Ralph waits to be resumed, and then runs the hook once more and says so if it passes; if it fails again, Ralph waits again.',
    source: 'ralph-cli/src/loop_runner.rs: run_wait_then_retry_policy',
    heldBy: { 'hooks-suspend': ['runs', 'again', 'recovered', 'attempts'] },
    about: ['config hooks.events.*.suspend_mode'],
  },
  metadata: {
    promise:
      'With `mutate.enabled`, a hook hands metadata to all later hooks, under its own name; the metadata of several hooks adds up.',
    source: 'ralph-cli/src/loop_runner.rs: merge_hook_metadata_namespace',
    heldBy: {
      'hooks-payload': ['builder', 'reason'],
      'hooks-metadata': ['started', 'begun', 'planned', 'asked', 'next', 'over'],
    },
    about: ['config hooks.events.*.mutate.enabled', 'config hooks.events.*.mutate.format'],
  },
  'metadata only if enabled': {
    promise: 'Without `mutate.enabled`, the output of a hook changes nothing.',
    source: 'ralph-cli/src/loop_runner.rs: parse_hook_mutation_stdout',
    heldBy: { 'hooks-payload': ['chatter'] },
    about: ['config hooks.events.*.mutate.enabled'],
  },
  'bad metadata': {
    promise: 'Output that is not `{"metadata": {…}}` counts as a failure of a hook that mutates.',
    source: 'ralph-cli/src/loop_runner.rs: parse_hook_mutation_stdout',
    heldBy: { 'hooks-block-everywhere': ['plan', 'planned'], 'hooks-warn': ['muddled'] },
  },
  'validate passes': {
    promise:
      '`ralph hooks validate` says how many hooks it checked, and passes good ones with exit code 0, also as JSON.',
    source: 'ralph-cli/src/hooks.rs: build_report',
    heldBy: { 'hooks-validate': ['good'] },
    about: ['command hooks', 'command hooks validate', 'flag hooks validate --format'],
  },
  'validate finds commands': {
    promise:
      '`ralph hooks validate` fails for each command that does not exist, is not executable or is not on PATH, and names hook, phase and command.',
    source: 'ralph-cli/src/hooks.rs: validate_command_resolvability',
    heldBy: { 'hooks-validate': ['broken', 'json'] },
    about: ['command hooks validate'],
  },
  'validate finds duplicates': {
    promise: '`ralph hooks validate` fails for two hooks of the same name in one phase.',
    source: 'ralph-cli/src/hooks.rs: validate_duplicate_names',
    heldBy: { 'hooks-validate': ['broken', 'json'] },
    about: ['command hooks validate'],
  },
  'refuses bad hooks': {
    promise:
      'Ralph refuses hooks without name, command or on_error, with a zero limit, with a suspend_mode that does not suspend, and with unknown phases.',
    source: 'ralph-core/src/config.rs: validate_hooks',
    heldBy: {
      'hooks-validate': [
        'refuses',
        'nameless',
        'commandless',
        'undecided',
        'hurried',
        'mute',
        'patient',
        'hasty',
        'silent',
        'neverCalled',
      ],
    },
    about: [
      'config hooks.events.*.name',
      'config hooks.events.*.command',
      'config hooks.events.*.on_error',
      'config hooks.events.*.timeout_seconds',
      'config hooks.events.*.max_output_bytes',
      'config hooks.events.*.suspend_mode',
      'config hooks.defaults.timeout_seconds',
      'config hooks.defaults.max_output_bytes',
    ],
  },
  'refuses what v1 lacks': {
    promise:
      'Ralph refuses fields that would promise more than it does: parallel and global hooks, and mutation of anything but metadata.',
    source: 'ralph-core/src/config.rs: validate_non_v1_hook_fields',
    heldBy: { 'hooks-validate': ['crowd', 'worldwide', 'idle', 'markup', 'meddling'] },
  },
  'preflight of hooks': {
    promise:
      'The preflight check `hooks` counts hooks that work, and else names each duplicate name and each command that is missing or not executable, with its full path in the `cwd` of the hook.',
    source: 'ralph-core/src/preflight.rs: validate_hook_command_resolvability',
    heldBy: { preflight: ['goodHooks', 'badHooks'] },
    about: ['config hooks.events.*.cwd'],
  },
  'moments for a bot': {
    promise:
      '`ralph bot daemon` accepts hooks for all twelve phases, and names the phases if it refuses another.',
    source: 'ralph-core/src/config.rs: parse',
    heldBy: { 'bot-without-token': ['everyMoment', 'unknownMoment'] },
    about: ['command bot daemon'],
  },
};
