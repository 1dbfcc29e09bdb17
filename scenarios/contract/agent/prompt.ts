import type { Promises } from '../../../src/authoring.js';
import { inEach } from '../each-backend.js';

export const prompt: Promises = {
  objective: {
    promise: 'Every prompt has the objective word for word, with a hat and without, in every iteration.',
    source: 'ralph-core/src/hatless_ralph.rs: objective_section',
    heldBy: {
      'prompt-solo': ['objective'],
      'hat-prompts': ['objective'],
      ...inEach('connect', ['told']),
      ...inEach('single-iter', ['told']),
      'custom-connect': ['told'],
      'opencode-long-prompt': ['told'],
      'opencode-long-prompt-permitted': ['told'],
      'silent-agent': ['objective'],
    },
  },
  'objective-reminder': {
    promise: 'A prompt without an active hat ends with the objective once more.',
    source: 'ralph-core/src/hatless_ralph.rs: done_section',
    heldBy: { 'prompt-solo': ['reminder'], 'hat-prompts': ['reminder'] },
  },
  'start-event': {
    promise:
      'The first prompt has the objective as the pending task.start event, in <top-level-prompt> tags.',
    source: 'ralph-core/src/event_loop/mod.rs: format_event',
    heldBy: { 'prompt-solo': ['start'], 'hat-prompts': ['start'] },
    about: ['topic task.start'],
  },
  'starting-event': {
    promise:
      'With starting_event, that event is published instead of task.start, with the objective as its payload.',
    source: 'ralph-core/src/event_loop/mod.rs: initialize',
    heldBy: { 'hat-start': ['payload', 'noKickoff'] },
    about: ['config event_loop.starting_event'],
  },
  'starting-event-hint': {
    promise: 'Ralph is told to publish the starting event if no hat is active; an active hat is not.',
    source: 'ralph-core/src/hatless_ralph.rs: hats_section',
    heldBy: { 'issue-86-starting-event-repeated': ['toldOnly', 'hats'], 'hat-start': ['hint'] },
  },
  'fast-path': {
    promise:
      'In the first iteration without notes, Ralph is told to publish the starting event at once; later he plans and delegates.',
    source: 'ralph-core/src/hatless_ralph.rs: is_fresh_start',
    heldBy: { 'hat-start': ['fastPath', 'noFastPath', 'delegates'] },
  },
  orientation: {
    promise: 'Every prompt tells the agent who it is, and that it has fresh context.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
    heldBy: { 'prompt-solo': ['orientation'], 'hat-prompts': ['orientation'] },
  },
  'default-guardrails': {
    promise: 'Every prompt has the six default guardrails, numbered from 999, with a hat and without.',
    source: 'ralph-core/src/config.rs: default_guardrails',
    heldBy: { 'prompt-solo': ['guardrails'], 'hat-prompts': ['guardrails'] },
    about: ['config core.guardrails'],
  },
  'configured-guardrails': {
    promise: 'Configured guardrails replace the default ones; all of them are in every prompt, in order.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
    heldBy: { 'prompt-configured': ['guardrails'] },
    about: ['config core.guardrails'],
  },
  'guardrail-for-memories': {
    promise: 'With memories on, the guardrail about the scratchpad speaks of memories instead.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
    heldBy: { 'prompt-configured': ['guardrails'], 'prompt-solo': ['guardrails'] },
  },
  'all-pending-events': {
    promise:
      'A prompt lists every pending event with its whole payload, in order; without hats and with them.',
    source: 'ralph-core/src/event_loop/mod.rs: build_prompt',
    heldBy: {
      'prompt-solo': ['pending', 'payloads'],
      'hat-prompts': ['request', 'both', 'undeclared'],
      'hat-single': ['told', 'file'],
      'hat-multi-workflow': ['told2', 'product', 'told3'],
      'hat-event-routing': ['told', 'file'],
      'hat-topology': ['file'],
      'hat-backend-kiro-agent': ['file'],
      'issue-302-completion-in-hat-mode': ['file'],
      'issue-303-completion-said-in-hat-mode': ['file'],
      'issue-139-completion-after-first-event': ['file'],
      'hat-under-pressure': ['builds'],
      'pressure-combined': ['file'],
    },
  },
  'events-once': {
    promise: 'An event is pending in one prompt only: the next iteration does not see it again.',
    source: 'ralph-proto/src/event_bus.rs: take_pending',
    heldBy: { 'prompt-solo': ['once'], 'hat-prompts': ['noDefault'] },
  },
  'kickoff-hidden': {
    promise: 'With hats, task.start and task.resume are not shown as soon as another event is pending.',
    source: 'ralph-core/src/event_loop/mod.rs: effective_regular_events',
    heldBy: { 'hat-start': ['resumeHidden'] },
  },
  recovery: {
    promise: 'If an iteration publishes nothing, the next prompt says so in a task.resume event.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_fallback_event',
    heldBy: { 'prompt-solo': ['recovery'] },
    about: ['topic task.resume'],
  },
  'topology-table': {
    promise: "Without an active hat, the prompt has a table of all hats and of Ralph's own events.",
    source: 'ralph-core/src/hatless_ralph.rs: hats_section',
    heldBy: { 'hat-topology': ['painterRow', 'hangerRow', 'published'] },
  },
  'topology-diagram': {
    promise: 'Without an active hat, the prompt has a diagram with every way from hat to hat.',
    source: 'ralph-core/src/hatless_ralph.rs: generate_mermaid_diagram',
    heldBy: { 'hat-prompts': ['diagram'] },
  },
  'topology-constraint': {
    promise: 'Ralph is told which events he may publish: the triggers of all hats.',
    source: 'ralph-core/src/hatless_ralph.rs: hats_section',
    heldBy: { 'hat-prompts': ['constraint'] },
  },
  'no-topology-for-hats': {
    promise: 'An active hat gets neither the table of hats nor the way to complete.',
    source: 'ralph-core/src/hatless_ralph.rs: build_prompt',
    heldBy: { 'hat-prompts': ['tableOnly', 'completion'] },
  },
  'completion-word': {
    promise:
      'Without hats, the prompt tells the agent to say the configured completion_promise as the last line.',
    source: 'ralph-core/src/hatless_ralph.rs: done_section',
    heldBy: { 'prompt-solo': ['completion', 'ends'] },
    about: ['config event_loop.completion_promise'],
  },
  'completion-event': {
    promise: 'With hats, the prompt tells Ralph to emit the configured completion_promise as an event.',
    source: 'ralph-core/src/hatless_ralph.rs: done_section',
    heldBy: { 'hat-prompts': ['completion', 'ends'] },
    about: ['config event_loop.completion_promise'],
  },
  'event-writing': {
    promise: 'Every prompt teaches how to publish an event with `ralph emit`.',
    source: 'ralph-core/src/hatless_ralph.rs: event_writing_section',
    heldBy: { 'prompt-solo': ['eventWriting'], 'hat-prompts': ['eventWriting'] },
  },
  'scratchpad-injected': {
    promise: 'The notes of earlier iterations are in the prompt, whole up to 16,000 bytes.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_scratchpad',
    heldBy: { 'prompt-solo': ['notes'], 'prompt-long-notes': ['whole', 'uncut'], 'hat-start': ['ownNotes'] },
    about: ['config core.scratchpad.path'],
  },
  'scratchpad-tail': {
    promise:
      'Of longer notes, the prompt has the newest 16,000 bytes, says how much is missing and lists the headings of what is.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_scratchpad',
    heldBy: { 'prompt-long-notes': ['cut', 'newest'] },
  },
  'scratchpad-empty': {
    promise: 'Without notes, the prompt has no <scratchpad> block.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_scratchpad',
    heldBy: { 'prompt-solo': ['noNotes'] },
  },
  'scratchpad-path': {
    promise: 'core.scratchpad names the file of the notes, and the prompt tells the agent that path.',
    source: 'ralph-core/src/config.rs: CoreConfig',
    heldBy: {
      'prompt-configured': ['path', 'state', 'details', 'notes'],
      'hat-instructions': ['notes'],
      'hat-behavior-not-just-acknowledgment': ['notes'],
      'pressure-complexity': ['notes'],
    },
    about: ['config core.scratchpad.path'],
  },
  'scratchpad-off': {
    promise:
      'core.scratchpad.enabled: false removes the notes from prompts with hats; without hats they stay on.',
    source: 'ralph-core/src/event_loop/mod.rs: with_context_and_diagnostics',
    heldBy: { 'hat-start': ['globalOff'], 'prompt-configured': ['path', 'notes'] },
    about: ['config core.scratchpad.enabled'],
  },
  'context-files': {
    promise: 'The prompt lists the other notes in .ralph/agent, but neither the scratchpad nor the memories.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
    heldBy: { 'prompt-solo': ['otherNotes', 'onlyOthers'] },
  },
  'state-management': {
    promise:
      'Every prompt says where state is kept: the scratchpad, or tasks and memories if there is no scratchpad.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
    heldBy: { 'prompt-solo': ['state'], 'hat-start': ['stateWithout'] },
  },
  'ready-tasks': {
    promise:
      'The prompt lists the ready tasks with priority, id and key, the blocked ones with what blocks them, and the counts.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
    heldBy: { 'prompt-configured': ['counts', 'ready', 'blocked'] },
  },
  'ready-tasks-off': {
    promise: 'With tasks off, the prompt has no tasks.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
    heldBy: { 'prompt-solo': ['noTasks'] },
    about: ['config tasks.enabled'],
  },
  workflow: {
    promise: 'A prompt without the instructions of a hat says how to work, step by step.',
    source: 'ralph-core/src/hatless_ralph.rs: workflow_section',
    heldBy: { 'prompt-solo': ['workflow'] },
  },
  'workflow-with-tasks': {
    promise:
      'With memories on, the workflow tells the agent to work with runtime tasks and check them before completion.',
    source: 'ralph-core/src/hatless_ralph.rs: workflow_section',
    heldBy: { 'prompt-configured': ['workflow', 'tasksBeforeDone'] },
  },
  'long-prompt-in-file': {
    promise:
      'A prompt of more than 7,000 bytes reaches a CLI that takes it as an argument in a file, whole; a prompt of 7,000 bytes does not.',
    source: 'ralph-adapters/src/cli_backend.rs: build_command',
    heldBy: { 'prompt-in-file': ['argument', 'file', 'whole'] },
  },
  'event-metadata': {
    promise: 'events.<topic> can describe what to do with an event.',
    source: 'ralph-core/src/instructions.rs: derive_instructions_from_contract',
    not: 'Ralph reads these keys, but only code that no loop reaches puts them into a prompt',
    about: ['config events.*.description', 'config events.*.on_trigger', 'config events.*.on_publish'],
  },
};
