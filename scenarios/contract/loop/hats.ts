import type { Promises } from '../../../src/authoring.js';

export const hats: Promises = {
  'every-trigger': {
    promise: 'An event that matches any trigger of a hat activates that hat, and no other hat.',
    source: 'ralph-core/src/hat_registry.rs: get_for_topic',
    heldBy: {
      'hat-multi-workflow': ['hats', 'plan'],
      'hat-event-routing': ['hats'],
      'hat-scratchpad': ['hats'],
    },
    about: ['config hats.*.triggers'],
  },
  name: {
    promise: "The prompt calls a hat by its name; records and the iteration's header use its id.",
    source: 'ralph-core/src/hat_registry.rs: hat_from_config',
    heldBy: { 'hat-prompts': ['instructions', 'hats', 'table'] },
    about: ['config hats.*.name'],
  },
  description: {
    promise:
      "A hat's description is in Ralph's table of hats and in the guides of the hats that hand work to it.",
    source: 'ralph-core/src/hatless_ralph.rs: hats_section',
    heldBy: { 'hat-topology': ['painterRow', 'hangerRow', 'hangerNext'] },
    about: ['config hats.*.description'],
  },
  'only-active-instructions': {
    promise: 'The prompt has the instructions of the active hat, and those of no other hat.',
    source: 'ralph-core/src/hatless_ralph.rs: hats_section',
    heldBy: {
      'hat-instructions': ['toldOnly', 'file'],
      'hat-single': ['toldOnly', 'file'],
      wave: ['asked'],
      'hat-event-routing': ['toldNobody', 'file'],
      'hat-prompts': ['instructionsOnly'],
      'issue-290-kiro-text-completion': ['file'],
      'hat-under-pressure': ['told'],
      'hat-behavior-not-just-acknowledgment': ['told'],
      'pressure-ambiguity': ['told'],
      'pressure-conflict': ['told'],
      'pressure-complexity': ['told'],
      'pressure-few-iterations': ['told'],
      'pressure-edge-cases': ['told'],
      'pressure-combined': ['told', 'file'],
    },
    about: ['config hats.*.instructions'],
  },
  'several-active': {
    promise: 'If pending events activate several hats, one prompt has the instructions of all of them.',
    source: 'ralph-core/src/event_loop/mod.rs: determine_active_hat_ids',
    heldBy: { 'hat-prompts': ['together', 'both'] },
  },
  'extra-instructions': {
    promise: "Every fragment of extra_instructions follows the hat's instructions, in order.",
    source: 'ralph-core/src/config.rs: normalize',
    heldBy: { 'hat-prompts': ['instructions'] },
    about: ['config hats.*.extra_instructions'],
  },
  'own-workflow': {
    promise: 'A hat with instructions gets no generic workflow: its instructions are the workflow.',
    source: 'ralph-core/src/hatless_ralph.rs: build_prompt',
    heldBy: { 'hat-prompts': ['ownWorkflow', 'workflow'] },
  },
  'publishing-guide': {
    promise: 'A hat learns of each event that it publishes who receives it: all receiving hats, or Ralph.',
    source: 'ralph-core/src/hatless_ralph.rs: event_publishing_guide',
    heldBy: { 'hat-topology': ['hangerNext', 'ralphNext'], 'hat-prompts': ['guide', 'guideless'] },
    about: ['config hats.*.publishes'],
  },
  backend: {
    promise: "A hat with its own backend runs on it; Ralph and the other hats run on the loop's backend.",
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: {
      'hat-backend-override': ['ranOnBuilder', 'ranOnReviewer', 'ranOnRalph', 'reviewed'],
      'hat-exhausted-backend': ['ranOnWorker'],
      'hat-backend-kiro-agent': ['ranOnPlanner'],
    },
    about: ['config hats.*.backend'],
  },
  'backend-type-args': {
    promise: "The args of a hat's backend are in its call, after Ralph's own arguments for that backend.",
    source: 'ralph-adapters/src/cli_backend.rs: from_name_with_args',
    heldBy: { 'hat-backend-args': ['guide'] },
  },
  'backend-kiro-agent': {
    promise: 'A hat with a Kiro agent calls Kiro with that agent.',
    source: 'ralph-adapters/src/cli_backend.rs: kiro_with_agent',
    heldBy: { 'hat-backend-kiro-agent': ['ranOnBuilder', 'calledWith'] },
  },
  'backend-command': {
    promise: 'A hat with a command as its backend runs that command with its arguments.',
    source: 'ralph-adapters/src/cli_backend.rs: from_hat_backend',
    heldBy: { 'issue-109-hat-backend-ignored': ['calledWith', 'verdict'] },
  },
  'backend-unknown': {
    promise: "A hat whose backend Ralph does not know runs on the loop's backend.",
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'hat-backend-args': ['stray'] },
  },
  'backend-args': {
    promise:
      "A hat's backend_args (or args) are in every call for that hat, on its own backend and on the loop's, and in no call for another hat.",
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'hat-backend-args': ['scout', 'guide', 'strayArgs', 'guideArgs', 'ralphArgs'] },
    about: ['config hats.*.backend_args'],
  },
  'default-publishes': {
    promise: 'If a hat publishes nothing, Ralph publishes its default event, which activates the next hat.',
    source: 'ralph-core/src/event_loop/mod.rs: check_default_publishes',
    heldBy: {
      'hat-default-publishes': ['byRalph', 'hats', 'ends', 'verdict', 'published'],
      'hat-one-default': ['byRalph'],
    },
    about: ['config hats.*.default_publishes'],
  },
  'one-default': {
    promise:
      'If several hats of an iteration publish nothing, Ralph publishes the default event of one of them: of the hat in whose name the iteration ran.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'hat-one-default': ['hats', 'byRalph', 'one'] },
    about: ['config hats.*.default_publishes'],
  },
  'default-only-if-silent': {
    promise: 'If a hat publishes an event of its own, its default event is not published.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'hat-prompts': ['noDefault'] },
  },
  'default-never-completes': {
    promise:
      'A silent hat whose default is the completion promise is asked again; the loop does not complete.',
    source: 'ralph-core/src/event_loop/mod.rs: check_default_publishes',
    heldBy: { 'hat-targeted-recovery': ['ends', 'hats', 'byRalph', 'counted'] },
    about: ['topic task.resume'],
  },
  'max-activations': {
    promise:
      'A hat with max_activations is active exactly that often; events that would activate it again are dropped.',
    source: 'ralph-core/src/event_loop/mod.rs: check_hat_exhaustion',
    heldBy: {
      'hat-max-activations': ['iterations', 'toldTimes', 'items'],
      'hat-exhausted-handover': ['iterations'],
    },
    about: ['config hats.*.max_activations'],
  },
  'exhausted-once': {
    promise:
      'The first time that an exhausted hat would be activated, Ralph publishes <hat>.exhausted with the limit and the dropped events; later events for the hat publish nothing.',
    source: 'ralph-core/src/event_loop/mod.rs: check_hat_exhaustion',
    heldBy: {
      'hat-max-activations': ['byRalph', 'told', 'once', 'left'],
      'hat-exhausted-backend': ['byRalph', 'file'],
    },
  },
  'exhausted-triggers': {
    promise: '<hat>.exhausted activates a hat that has it as a trigger; other hats keep their own limits.',
    source: 'ralph-core/src/event_loop/mod.rs: build_prompt',
    heldBy: { 'hat-exhausted-handover': ['takesOver', 'twice', 'ownLimit'] },
  },
  'exhausted-backend': {
    promise: "When a hat is exhausted, Ralph continues on the loop's backend.",
    source: 'ralph-cli/src/loop_runner.rs: resolve_display_hat_for_execution',
    heldBy: { 'hat-exhausted-backend': ['hats', 'ranOnRalph'] },
  },
  'tool-restrictions': {
    promise: "A hat's disallowed_tools are all in its prompt as restrictions, and in no other prompt.",
    source: 'ralph-core/src/hatless_ralph.rs: hats_section',
    heldBy: { 'hat-prompts': ['restrictions'] },
    about: ['config hats.*.disallowed_tools'],
  },
  'audit-of-changes': {
    promise:
      'A hat that may not use Edit or Write and leaves changed files behind causes <hat>.scope_violation with the changes.',
    source: 'ralph-core/src/event_loop/mod.rs: audit_file_modifications',
    heldBy: { 'hat-tool-audit': ['audited', 'changes'] },
  },
  'scope-enforced': {
    promise:
      'With enforce_hat_scope, Ralph drops an event that the active hat does not declare, and reports it.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: {
      'issue-193-hat-scope': ['neverActive', 'byRalph', 'told', 'hats', 'file'],
      'hat-scope-declared': ['hats'],
    },
    about: ['config event_loop.enforce_hat_scope'],
  },
  'scope-declared-passes': {
    promise:
      'With enforce_hat_scope, events that the hat declares (patterns too) pass, and Ralph himself may publish anything.',
    source: 'ralph-core/src/hat_registry.rs: can_publish',
    heldBy: { 'hat-scope-declared': ['passed', 'report', 'completion', 'free', 'hats'] },
  },
  'scope-off-by-default': {
    promise: 'Without enforce_hat_scope, a hat may publish any event.',
    source: 'ralph-core/src/config.rs: EventLoopConfig',
    heldBy: { 'hat-prompts': ['undeclared'] },
  },
  'own-scratchpad': {
    promise:
      'A hat with its own scratchpad is told its path and gets its notes back; the shared one stays separate.',
    source: 'ralph-core/src/config.rs: ScratchpadConfig::resolve',
    heldBy: {
      'hat-scratchpad': ['scratchpadDiver', 'told', 'toldOnly', 'depth', 'notes'],
      'hat-start': ['ownNotes'],
    },
    about: ['config hats.*.scratchpad.path'],
  },
  'scratchpad-disabled': {
    promise: 'A hat whose scratchpad is disabled gets no notes and no section about them.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
    heldBy: { 'hat-start': ['ownPath', 'notesOff', 'stateWithout'] },
    about: ['config hats.*.scratchpad.enabled', 'config hats.*.scratchpad.path'],
  },
  import: {
    promise:
      "A hat can import a file, relative to the configuration; the hat's own keys win over those of the file.",
    source: 'ralph-cli/src/preflight.rs: resolve_hat_imports',
    heldBy: { 'hat-import': ['imported', 'ownWins', 'hats'] },
  },
  'import-refused': {
    promise:
      'An import that is missing, is no mapping, imports another file, has events or makes no valid hat is refused with its file and the cause.',
    source: 'ralph-cli/src/preflight.rs: hat_import_error',
    heldBy: { 'hat-import': ['missing', 'notMapping', 'chain', 'events', 'number'] },
  },
  'progress-before-start': {
    promise:
      'A hat whose event is new is active alone, although the starting event of another hat is still pending.',
    source: 'ralph-core/src/event_loop/mod.rs: determine_active_hat_ids',
    heldBy: { 'hat-start': ['hats', 'newFirst'] },
  },
  'coordinator-last': {
    promise: 'If a pending event activates no hat, Ralph coordinates.',
    source: 'ralph-core/src/event_loop/mod.rs: determine_active_hats',
    heldBy: { 'issue-86-orphaned-events': ['hats'] },
  },
  'hats-list': {
    promise:
      '`ralph hats` and `ralph hats list` print every hat with its description, as a table or as JSON.',
    source: 'ralph-cli/src/hats.rs: list_hats',
    heldBy: { 'hats-commands': ['list', 'json'], 'hat-import': ['list'] },
    about: ['command hats', 'command hats list', 'flag hats list --format'],
  },
  'hats-show': {
    promise: '`ralph hats show` prints the configuration of a hat by id or name, and refuses an unknown one.',
    source: 'ralph-cli/src/hats.rs: show_hat',
    heldBy: { 'hats-commands': ['show', 'unknown'] },
    about: ['command hats show'],
  },
  'hats-validate': {
    promise:
      '`ralph hats validate` accepts a sound topology and fails if no hat waits for the starting event.',
    source: 'ralph-cli/src/hats.rs: validate_hats',
    heldBy: { 'hats-commands': ['valid', 'invalid'], 'hats-folder': ['valid'] },
    about: ['command hats validate'],
  },
  'idle-hat': {
    promise: 'Ralph warns of a hat that no event triggers, and of no other.',
    source: 'ralph-core/src/hatless_ralph.rs: validate_topology_reachability',
    heldBy: { 'run-verbosity': ['idleHat'] },
  },
  'hats-graph': {
    promise:
      '`ralph hats graph --format mermaid` and `compact` draw every hat and event without calling a backend.',
    source: 'ralph-cli/src/hats.rs: graph_hats',
    heldBy: { 'hats-commands': ['graph'] },
    about: ['command hats graph', 'flag hats graph --format'],
  },
  'hats-graph-backend': {
    promise:
      '`ralph hats graph` asks a backend for a drawing in the other formats: the one of -b, the configured one, or the first that works.',
    source:
      'ralph-cli/src/hats.rs: render_hat_dag_via_ai, resolve_backend, build_diagram_prompt, extract_diagram; ralph-adapters/src/auto_detect.rs: detect_backend_default',
    heldBy: {
      'hats-drawing': [
        'detected',
        'configured',
        'named',
        'asked',
        'failed',
        'silent',
        'unknown',
        'nobody',
        'noHats',
      ],
    },
    about: ['flag hats graph --backend'],
  },
};
