import type { Promises } from '../../../src/authoring.js';

export const routing: Promises = {
  trigger: {
    promise: 'An event activates the hat that has its topic as a trigger, and no other hat.',
    source: 'ralph-proto/src/event_bus.rs: publish',
    heldBy: {
      'hat-event-routing': ['hats', 'neverActive', 'toldOnly'],
      'loop-on-screen': ['hats'],
      'skill-for-one-hat': ['hats'],
      'hat-single': ['hats'],
      'hat-backend-override': ['hats'],
      'hat-topology': ['hats'],
      'hat-backend-kiro-agent': ['hats'],
      'hat-backend-args': ['hats'],
      'issue-86-starting-event-repeated': ['hats'],
      'issue-109-hat-backend-ignored': ['hats'],
      'issue-139-completion-after-first-event': ['hat', 'file'],
      'pressure-combined': ['hatBuilder', 'file'],
    },
    about: ['config hats.*.triggers'],
  },
  'every-trigger': {
    promise: 'Every trigger of a hat activates it, not only the first.',
    source: 'ralph-proto/src/hat.rs: is_subscribed_str',
    heldBy: { 'hat-max-activations': ['items', 'toldTimes'] },
  },
  'wildcard-last-segment': {
    promise: 'A trigger such as audit.* matches every topic with exactly one more segment.',
    source: 'ralph-proto/src/topic.rs: matches_str',
    heldBy: { 'hat-wildcard-triggers': ['hats', 'told2', 'audited', 'told4'] },
  },
  'wildcard-first-segment': {
    promise: 'A star may be any segment of a trigger, also the first.',
    source: 'ralph-proto/src/topic.rs: matches_str',
    heldBy: { 'hat-wildcard-triggers': ['hats', 'told3', 'mended'] },
  },
  'wildcard-other-prefix': {
    promise: 'A wildcard does not match a topic that differs in another segment.',
    source: 'ralph-proto/src/topic.rs: matches_str',
    heldBy: { 'hat-catch-all': ['hats'] },
  },
  'star-is-a-fallback': {
    promise: 'A hat with the trigger * gets what no other hat is triggered by, and only that.',
    source: 'ralph-proto/src/hat.rs: has_specific_subscription',
    heldBy: { 'hat-catch-all': ['hats', 'pending'] },
  },
  orphan: {
    promise: 'An event that triggers no hat goes to Ralph with its payload.',
    source: 'ralph-proto/src/event_bus.rs: publish',
    heldBy: {
      'issue-86-orphaned-events': ['hats', 'told', 'file'],
      'hat-single': ['hats'],
      'hat-tool-audit': ['hats'],
      'issue-290-kiro-text-completion': ['said'],
    },
  },
  'orphan-tag': {
    promise:
      'An event tag that triggers no hat is delivered, after event.orphaned that names it and the valid topics.',
    source: 'ralph-cli/src/loop_runner.rs: log_events_from_output',
    heldBy: { 'hat-all-pending': ['pending', 'orphaned'] },
    about: ['topic event.orphaned'],
  },
  'all-pending-one-hat': {
    promise:
      'Several events for one hat are all in its next prompt, in the order in which they were published.',
    source: 'ralph-core/src/event_loop/mod.rs: build_prompt',
    heldBy: { 'hat-all-pending': ['pending', 'lines', 'json'] },
  },
  'all-pending-several-hats': {
    promise:
      'Events for different hats activate all these hats in the next iteration, with all events and instructions.',
    source: 'ralph-core/src/event_loop/mod.rs: determine_active_hat_ids',
    heldBy: { 'hat-all-pending': ['pending', 'builder', 'tester'], 'hat-one-default': ['hats', 'both'] },
  },
  'all-pending-without-hats': {
    promise: 'Without hats, all events of an iteration are in the next prompt.',
    source: 'ralph-core/src/event_loop/mod.rs: build_prompt',
    heldBy: {
      'claude-events': ['heardCountText', 'heardCountJson', 'heardTagText', 'heardTagJson', 'file'],
      'claude-multi-iter': ['told2', 'told3', 'file'],
      'continue-limit': ['handed'],
      'hooks-at-error': ['plan'],
      'claude-backpressure': ['pending3', 'told3'],
    },
  },
  'broken-tags': {
    promise: 'An event tag without a topic or without an end is no event; the tags around it count.',
    source: 'ralph-core/src/event_parser.rs: EventParser::parse',
    heldBy: { 'broken-tags': ['kept', 'lost', 'nameless', 'ends'] },
  },
  'event-tags': {
    promise: 'An event tag in what the agent says is recorded and delivered, as an event of the command is.',
    source:
      'ralph-cli/src/loop_runner.rs: log_events_from_output; ralph-core/src/event_parser.rs: EventParser::parse',
    heldBy: {
      'claude-events': ['tagText', 'tagJson', 'heardTagText', 'heardTagJson'],
      'claude-streaming': ['published'],
      'hat-all-pending': ['tagLines'],
    },
  },
  'delivered-once': {
    promise: 'An event is in one prompt only: what was delivered does not come again.',
    source: 'ralph-proto/src/event_bus.rs: take_pending',
    heldBy: { 'hat-all-pending': ['once'] },
  },
  'one-recipient': {
    promise:
      'An event that triggers a hat goes to that hat and not to Ralph as well, so a prompt has it once.',
    source: 'ralph-proto/src/event_bus.rs: publish',
    heldBy: {
      'hat-all-pending': ['pending'],
      'hat-one-default': ['both', 'one'],
      'hat-max-activations': ['once'],
      'hat-scope-declared': ['passed'],
    },
  },
  'payload-whole': {
    promise: 'A payload of several lines or in JSON arrives whole; a missing one arrives empty.',
    source: 'ralph-core/src/event_reader.rs: deserialize_flexible_payload',
    heldBy: { 'hat-all-pending': ['lines', 'json', 'empty', 'tagLines'] },
  },
  'first-hat-first': {
    promise: 'If several hats match a topic, the first by id is active.',
    source: 'ralph-core/src/hat_registry.rs: get_for_topic',
    heldBy: { 'hat-catch-all': ['hats', 'neverActive'] },
  },
  start: {
    promise: 'Without a starting event, the first prompt is for Ralph, with the objective as task.start.',
    source: 'ralph-core/src/event_loop/mod.rs: initialize',
    heldBy: {
      'hat-event-routing': ['hats'],
      'hat-single': ['hats'],
      'hat-topology': ['hats'],
      'issue-109-hat-backend-ignored': ['hats'],
    },
    about: ['topic task.start'],
  },
  'starting-event': {
    promise:
      'The starting event activates its hat in the first iteration, with the objective as its payload.',
    source: 'ralph-core/src/event_loop/mod.rs: initialize_with_topic',
    heldBy: {
      'hat-all-pending': ['hats', 'start'],
      'loop-on-screen': ['hats'],
      'skill-for-one-hat': ['hats'],
      'hat-instructions': ['hats'],
      'hat-backend-override': ['hats'],
      'hat-scratchpad': ['hats'],
      'hat-backend-kiro-agent': ['hats'],
      'hat-tool-audit': ['hats'],
      'hat-import': ['hats'],
      'hat-backend-args': ['hats'],
      'issue-86-starting-event-repeated': ['hats'],
      'issue-290-kiro-text-completion': ['hat'],
      'hat-under-pressure': ['hat'],
      'hat-behavior-not-just-acknowledgment': ['hat'],
      'pressure-ambiguity': ['hat'],
      'pressure-conflict': ['hat'],
      'pressure-complexity': ['hat'],
      'pressure-few-iterations': ['hat'],
      'pressure-edge-cases': ['hat'],
      'pressure-combined': ['hatPlanner'],
    },
    about: ['config event_loop.starting_event'],
  },
  'starting-hat': {
    promise: 'A starting hat can be configured.',
    source: 'ralph-core/src/config.rs: EventLoopConfig',
    not: 'Ralph 2.10.1 reads the setting and does nothing with it',
    about: ['config event_loop.starting_hat'],
  },
  'start-gives-way': {
    promise:
      'A start event is dropped when another event is pending, so that the first hat does not run again.',
    source: 'ralph-core/src/event_loop/mod.rs: effective_regular_events',
    heldBy: { 'hat-all-pending': ['lost', 'planner', 'pending'] },
  },
  recovery: {
    promise:
      'After an iteration without an event, the next prompt has task.resume with a request to recover.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_fallback_event',
    heldBy: { 'silent-agent': ['pending', 'asked'] },
    about: ['topic task.resume'],
  },
  'recovery-goes-on': {
    promise: 'A silent agent is asked to go on every time, however often it publishes nothing.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'silent-agent': ['iterations', 'asked', 'file'] },
  },
  'late-events': {
    promise: 'An event that arrives just after its iteration is delivered instead of a request to recover.',
    source: 'ralph-cli/src/loop_runner.rs: recover_late_events_before_fallback',
    heldBy: { cooldown: ['late', 'expected'] },
  },
  'announced-events': {
    promise: 'When the output mentions `ralph emit`, Ralph waits up to five seconds for the event.',
    source: 'ralph-cli/src/loop_runner.rs: recover_expected_emit_after_output',
    heldBy: { 'announced-event': ['late', 'expected'] },
  },
  'default-event': {
    promise: 'The default event of a silent hat is routed like any other.',
    source: 'ralph-core/src/event_loop/mod.rs: check_default_publishes',
    heldBy: { 'hat-default-publishes': ['hats', 'byRalph'] },
  },
  target: {
    promise: 'An event with a target activates that hat, whatever its topic.',
    source: 'ralph-proto/src/event_bus.rs: publish',
    heldBy: { 'hat-targeted-recovery': ['hats', 'toldOnly'] },
  },
  human: {
    promise:
      'A human.* event is in the next prompt, and activates a hat only if the hat has it as a trigger.',
    source: 'ralph-proto/src/event_bus.rs: publish',
    heldBy: { cooldown: ['answer'], 'hat-catch-all': ['hats', 'answer'] },
  },
};
