/** Where a fault of the stand-in shows. */
export interface FaultEffect {
  /** Cases of the corpus whose observation it changes. */
  readonly changes: readonly string[];
  /** Fields of the observation that change in each of them; `prompt` stands for any of the prompts. */
  readonly shows: readonly string[];
  /** Whether any other field may change too: a loop that goes another way differs in much. */
  readonly elsewhere?: true;
  /** Neighbours that do not concern it, and that it must leave alone. */
  readonly leaves: readonly string[];
  /** With this fault a run has no end: it is ended after this many milliseconds. */
  readonly endless?: number;
}

const SOLO = 'text: the promise alone on the last line';
const EVENT = 'event: the promise as the topic of an event';
const SILENT = 'limit: a silent agent runs to max_iterations';
const FAILURES = 'limit: consecutive failures';
const TEAM = 'routing: coordinator, builder, reviewer, coordinator';
const HAT_FIRST = 'routing: a starting event puts its hat first';
const WILDCARDS = 'routing: wildcards match one segment';
const ORPHAN = 'routing: an orphan goes to the coordinator';
const DEFAULTS = 'routing: default_publishes when nothing was published';
const HAT_BACKEND = 'backend: of a hat, by command';
const SCOPE = 'routing: hat scope drops what a hat may not publish';
const ACTIVATIONS = 'routing: max_activations exhausts a hat';
const MEMORY = 'memory: a store is put into the prompt, a hand-made id is part of the one before';
const BUDGET = 'memory: over budget it is cut after a whole one';
const TWO_RUNS = 'memory: survives into the next run';
const ADD = 'memory command: add with every type and format';
const AT_ONCE = 'memory command: eight writers at the same time';
const LONG = 'memory command: a long one';
const SEARCH = 'memory command: search by text, type and tag';
const SHOW = 'memory command: show and delete';
const MANUAL = 'memory: inject manual keeps it out';
const NONE = 'memory: inject none keeps it out';
const WAITING = 'task: ready, blocked, started and closed ones in the prompt';
const FOREIGN = 'task: of other loops, or of none, do not count';
const REFUSED = 'gate: build.done with five, with none, and empty';
const ACCEPTED = 'gate: build.done with all seven items';
const REVIEW = 'gate: review.done';
const VERIFY = 'gate: verify.passed';
const EMITTED = 'events: emitted ones are pending in the next prompt, in order';
const TAG = 'events: a tag in the output, nobody subscribed';
const TAG_FOR_HAT = 'events: a tag that a hat waits for';
const OPEN_TASK = 'task: an open one of this loop refuses completion';
const SCRATCHPAD = 'prompt: scratchpad comes back, its long end only';
const GUIDANCE = 'events: guidance is shown until it is acknowledged, and blocks completion';
const STEER = 'events: an urgent word from outside makes emit fail once';
const OWN_PROMISE = 'a promise of the config';
const TWO_EVENTS = 'routing: two events for two hats make both active';
const RESTRICTED = 'prompt: a hat with a scratchpad, tool restrictions and extra instructions';
const HAT_ARGUMENTS = 'backend: of a hat, by name, with arguments';
const OWN_EVENT = 'routing: default_publishes steps back when something was published';
const BLOCKING_HOOK = 'hook: a failing one warns or blocks';
const LATE_HOOK = 'hook: one that takes too long blocks';
const END_HOOKS = 'hook: at plans and questions, and at a limit';
const REQUIRED = 'refusal: required events, missing and then seen';
const CANCEL = 'cancel: by its event';
const STALE = 'limit: three equal events in a row are a stale loop';
const PAYLOADS = 'limit: another event in between resets the count of equal ones';
const MENTIONED =
  'text: words after the promise, backticks, bold, other case and a part of a line do not count';
const TWO_REQUIRED = 'event: a hat that waits for the promise does not get it';
const BROKEN_LINES = 'events: malformed lines three times in a row do not end the loop';
const COOLDOWN = 'limit: cooldown is waited, and an event that comes meanwhile is delivered';
const STOPPED = 'limit: a stop request is used up';
const ABANDONED = 'limit: a task that is blocked three times is abandoned once';
const CATCH_ALL = 'routing: a hat that waits for everything comes last';
const LIST = 'task command: an empty store';
const FLOOD = 'backend: a flood of output is read to its end';
const USAGE = 'argv: an unknown option';
const RESERVED = 'config: a reserved trigger';
const CODEX = 'backend: codex';
const AROUND = 'backend: its environment and folder';
const HATS_FILE = 'config: hats of a file of their own';
const RECORDED = 'prompt: the diagnostics keep every one';
const NO_BACKEND = 'backend: not there';
const KEYED = 'task command: add and ensure';
const HANDOFF = 'git: the handoff of a loop without tasks';
const FAILED = 'argv: summary of a run that failed';
const FRESH = 'prompt: the scratchpad of an earlier run is deleted';

/** Every fault that the stand-in knows, by name. */
export const FAULT_EFFECTS: Readonly<Record<string, FaultEffect>> = {
  'drop-hat-instructions': { changes: [TEAM, HAT_FIRST], shows: ['prompt'], leaves: [SOLO, MEMORY, REFUSED] },
  'no-topology': { changes: [TEAM], shows: ['prompt'], leaves: [SOLO, MEMORY, SILENT] },
  'skip-memory-injection': {
    changes: [MEMORY, BUDGET, TWO_RUNS],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, TEAM, SCRATCHPAD],
  },
  'ignore-memory-budget': { changes: [BUDGET], shows: ['prompt'], leaves: [MEMORY, TWO_RUNS, SCRATCHPAD] },
  'forget-memories-between-runs': {
    changes: [TWO_RUNS],
    shows: ['prompt', 'file .ralph/agent/memories.md'],
    elsewhere: true,
    leaves: [SOLO, TEAM, LIST],
  },
  'case-sensitive-search': { changes: [SEARCH], shows: ['screen'], leaves: [MEMORY, ADD, SHOW] },
  'first-blocker-only': {
    changes: [KEYED],
    shows: ['file .ralph/agent/tasks.jsonl'],
    leaves: [WAITING, LIST, FOREIGN],
  },
  'duplicate-keyed-tasks': {
    changes: [KEYED],
    shows: ['file .ralph/agent/tasks.jsonl', 'screen'],
    leaves: [LIST, FOREIGN],
  },
  'cut-payloads': { changes: [EMITTED], shows: ['events', 'prompt'], leaves: [SOLO, TAG, EVENT] },
  'no-handoff': {
    changes: [HANDOFF],
    shows: ['files', 'screen'],
    elsewhere: true,
    leaves: [SILENT, FAILURES, LIST],
  },
  'praise-every-end': { changes: [FAILED], shows: ['screen'], leaves: [SOLO, EVENT, HANDOFF] },
  'inherit-scratchpad': {
    changes: [FRESH],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, TEAM, SCRATCHPAD],
  },
  'lose-memories': {
    changes: [ADD],
    shows: ['file .ralph/agent/memories.md'],
    elsewhere: true,
    leaves: [MEMORY, SEARCH, SHOW],
  },
  'mistype-memories': {
    changes: [ADD],
    shows: ['file .ralph/agent/memories.md'],
    elsewhere: true,
    leaves: [MEMORY, LONG, SEARCH],
  },
  'cut-memories': { changes: [LONG], shows: ['screen'], leaves: [ADD, MEMORY, SEARCH] },
  'unlocked-memories': { changes: [AT_ONCE], shows: ['screen'], leaves: [ADD, SHOW, MEMORY] },
  'distrust-damaged-memories': {
    changes: [MEMORY],
    shows: ['prompt'],
    leaves: [ADD, TWO_RUNS, SOLO],
  },
  'search-finds-all': {
    changes: [SEARCH],
    shows: ['screen'],
    elsewhere: true,
    leaves: [ADD, SHOW, MEMORY],
  },
  'show-wrong-memory': { changes: [SHOW], shows: ['screen'], leaves: [ADD, SEARCH, MEMORY] },
  'keep-deleted-memories': {
    changes: [SHOW],
    shows: ['file .ralph/agent/memories.md'],
    elsewhere: true,
    leaves: [ADD, SEARCH, MEMORY],
  },
  'inject-always': {
    changes: [MANUAL, NONE],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [MEMORY, BUDGET, SOLO],
  },
  'drop-skills': { changes: [SOLO], shows: ['prompt'], leaves: [LIST, ADD, USAGE] },
  'skip-commit': { changes: [SOLO], shows: ['git'], elsewhere: true, leaves: [SILENT, FAILURES, ADD] },
  'count-foreign-tasks': {
    changes: [FOREIGN],
    shows: ['exit', 'iterations'],
    elsewhere: true,
    leaves: [SOLO, OPEN_TASK, LIST],
  },
  'ignore-blocked-by': {
    changes: [WAITING],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, OPEN_TASK, LIST],
  },
  'drop-scratchpad': { changes: [SCRATCHPAD], shows: ['prompt'], leaves: [SOLO, MEMORY, OPEN_TASK] },
  'drop-ready-tasks': { changes: [OPEN_TASK], shows: ['prompt'], leaves: [SOLO, SCRATCHPAD, LIST] },
  'first-guidance-only': { changes: [GUIDANCE], shows: ['prompt'], leaves: [SOLO, TEAM, SCRATCHPAD] },
  'bare-prompt': { changes: [SOLO, TEAM], shows: ['prompt'], leaves: [LIST, USAGE, ADD] },
  'tell-hats-everything': { changes: [TEAM], shows: ['prompt'], leaves: [SOLO, MEMORY, SILENT] },
  'default-promise-in-prompt': { changes: [OWN_PROMISE], shows: ['prompt'], leaves: [SOLO, TEAM, MEMORY] },
  'list-known-notes': { changes: [MEMORY], shows: ['prompt'], leaves: [SOLO, TEAM, SILENT] },
  'first-event-only': { changes: [EMITTED, TWO_EVENTS], shows: ['prompt'], leaves: [SOLO, TEAM, SILENT] },
  'repeat-events': { changes: [EMITTED], shows: ['prompt'], leaves: [SOLO, MEMORY, LIST] },
  'drop-tool-restrictions': { changes: [RESTRICTED], shows: ['prompt'], leaves: [SOLO, TEAM, SILENT] },
  'repeat-exhausted': {
    changes: [ACTIVATIONS],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, TEAM, DEFAULTS],
  },
  'drop-hat-arguments': { changes: [HAT_ARGUMENTS], shows: ['calls'], leaves: [SOLO, TEAM, DEFAULTS] },
  'always-default-publishes': {
    changes: [OWN_EVENT],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, TEAM, DEFAULTS],
  },
  'ignore-urgent-steer': {
    changes: [STEER],
    shows: ['exit'],
    elsewhere: true,
    leaves: [SOLO, TEAM, EMITTED],
  },
  'drop-guidance': { changes: [GUIDANCE], shows: ['prompt'], leaves: [SOLO, TEAM, SCRATCHPAD] },
  'route-to-wrong-hat': {
    changes: [TEAM, HAT_FIRST],
    shows: ['iterations', 'prompt', 'screen'],
    leaves: [SOLO, EVENT, REFUSED],
  },
  'literal-triggers': {
    changes: [WILDCARDS],
    shows: ['iterations', 'prompt', 'screen'],
    leaves: [SOLO, ORPHAN, MEMORY],
  },
  'drop-orphans': {
    changes: [ORPHAN],
    shows: ['prompt'],
    leaves: [SOLO, HAT_FIRST, SILENT],
  },
  'repeat-starting-event': { changes: [HAT_FIRST], shows: ['prompt'], leaves: [SOLO, TEAM, WILDCARDS] },
  'drop-default-publishes': {
    changes: [DEFAULTS],
    shows: ['iterations', 'prompt', 'screen'],
    leaves: [SOLO, TEAM, SILENT],
  },
  'wrong-backend-for-hat': { changes: [HAT_BACKEND], shows: ['calls'], leaves: [SOLO, TEAM, DEFAULTS] },
  'accept-any-build-done': {
    changes: [REFUSED],
    shows: ['prompt', 'screen'],
    leaves: [ACCEPTED, REVIEW, TEAM],
  },
  'accept-any-review-done': {
    changes: [REVIEW],
    shows: ['prompt', 'screen'],
    leaves: [REFUSED, VERIFY, TEAM],
  },
  'accept-any-verify-passed': {
    changes: [VERIFY],
    shows: ['prompt', 'screen'],
    elsewhere: true,
    leaves: [REFUSED, REVIEW, TEAM],
  },
  'ignore-event-tags': {
    changes: [TAG, TAG_FOR_HAT],
    shows: ['events', 'prompt'],
    elsewhere: true,
    leaves: [SOLO, EMITTED, TEAM],
  },
  'drop-pending-events': {
    changes: [EMITTED, TEAM],
    shows: ['prompt'],
    leaves: [SOLO, SILENT, MEMORY],
  },
  'ignore-hat-scope': {
    changes: [SCOPE],
    shows: ['events', 'prompt'],
    elsewhere: true,
    leaves: [SOLO, TEAM, HAT_FIRST],
  },
  'ignore-max-activations': {
    changes: [ACTIVATIONS],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, TEAM, DEFAULTS],
  },
  'ignore-required-events': {
    changes: [REQUIRED],
    shows: ['iterations', 'calls'],
    elsewhere: true,
    leaves: [SOLO, OPEN_TASK, TEAM],
  },
  'ignore-open-tasks': {
    changes: [OPEN_TASK],
    shows: ['iterations', 'calls'],
    elsewhere: true,
    leaves: [SOLO, REQUIRED, LIST],
  },
  'ignore-cancellation': {
    changes: [CANCEL],
    shows: ['exit', 'label', 'reason'],
    elsewhere: true,
    leaves: [SOLO, EVENT, SILENT],
  },
  'ignore-completion': {
    changes: [SOLO, EVENT, TEAM],
    shows: ['exit', 'label', 'reason'],
    elsewhere: true,
    leaves: [SILENT, CANCEL, FAILURES],
  },
  'complete-too-early': {
    changes: [TEAM, SILENT],
    shows: ['iterations', 'calls'],
    elsewhere: true,
    leaves: [SOLO, LIST, NO_BACKEND],
  },
  'promise-anywhere': {
    changes: [MENTIONED],
    shows: ['calls'],
    elsewhere: true,
    leaves: [EVENT, SILENT, LIST],
  },
  'first-required-event-only': {
    changes: [TWO_REQUIRED],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, LIST],
  },
  'ignore-hook-failures': {
    changes: [BLOCKING_HOOK],
    shows: ['exit', 'calls'],
    elsewhere: true,
    leaves: [SOLO, LIST],
  },
  'ignore-hook-timeouts': {
    changes: [LATE_HOOK],
    shows: ['exit', 'calls', 'log'],
    elsewhere: true,
    leaves: [SOLO, BLOCKING_HOOK, LIST],
  },
  'forgive-late-hooks': {
    changes: [LATE_HOOK],
    shows: ['exit', 'calls', 'log'],
    elsewhere: true,
    leaves: [SOLO, BLOCKING_HOOK, LIST],
  },
  'wrong-end-hooks': {
    changes: [END_HOOKS],
    shows: ['file diary.txt'],
    leaves: [SOLO, LIST],
  },
  'stale-by-topic': {
    changes: [PAYLOADS],
    shows: ['exit', 'label', 'reason'],
    elsewhere: true,
    leaves: [SOLO, STALE, LIST],
  },
  'keep-malformed-count': {
    changes: [BROKEN_LINES],
    shows: ['exit', 'label', 'reason'],
    elsewhere: true,
    leaves: [SOLO, EMITTED, LIST],
  },
  'ignore-cooldown': {
    changes: [COOLDOWN],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, SILENT, LIST],
  },
  'ignore-late-events': {
    changes: [COOLDOWN],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, SILENT, LIST],
  },
  'keep-stop-file': {
    changes: [STOPPED],
    shows: ['exit', 'label', 'reason'],
    elsewhere: true,
    leaves: [SOLO, SILENT, LIST],
  },
  'forget-abandoned-tasks': {
    changes: [ABANDONED],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, REFUSED, LIST],
  },
  'one-pending-event': {
    changes: [EMITTED, ABANDONED],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, SILENT, TEAM],
  },
  'catch-all-first': {
    changes: [CATCH_ALL],
    shows: ['prompt'],
    elsewhere: true,
    leaves: [SOLO, TEAM, WILDCARDS],
  },
  'empty-recovery': { changes: [SILENT], shows: ['prompt'], leaves: [SOLO, TEAM, REFUSED] },
  'misreport-end': {
    changes: [SOLO, STALE],
    shows: ['label'],
    elsewhere: true,
    leaves: [LIST, USAGE, NO_BACKEND],
  },
  'never-stop': {
    changes: [SILENT],
    shows: ['exit', 'label', 'reason'],
    elsewhere: true,
    endless: 4_000,
    leaves: [SOLO, TEAM, CANCEL],
  },
  'lose-events': {
    changes: [EVENT, TEAM],
    shows: ['events', 'exit', 'reason'],
    elsewhere: true,
    leaves: [SOLO, SILENT, MEMORY],
  },
  'corrupt-events': {
    changes: [EVENT, TEAM],
    shows: ['events', 'exit', 'reason'],
    elsewhere: true,
    leaves: [SOLO, SILENT, MEMORY],
  },
  'cut-output': {
    changes: [FLOOD],
    shows: ['exit', 'reason', 'screen'],
    elsewhere: true,
    leaves: [SOLO, TEAM, SILENT],
  },
  'leak-backend': {
    changes: [SOLO, SILENT],
    shows: ['leftBehind'],
    elsewhere: true,
    leaves: [LIST, USAGE, NO_BACKEND],
  },
  'wrong-exit-code': { changes: [SOLO, SILENT], shows: ['exit'], leaves: [LIST, USAGE, NO_BACKEND] },
  'hang-after-completion': {
    changes: [SOLO],
    shows: ['exit'],
    // It costs nothing while it hangs; on a busy machine it must have come to its end before.
    endless: 20_000,
    leaves: [SILENT, FAILURES, USAGE],
  },
  'accept-bad-config': {
    changes: [RESERVED],
    shows: ['exit'],
    elsewhere: true,
    leaves: [SOLO, USAGE, NO_BACKEND],
  },
  'drop-backend-flags': { changes: [CODEX], shows: ['calls'], elsewhere: true, leaves: [LIST, USAGE] },
  'drop-agent-environment': { changes: [AROUND], shows: ['file env.txt'], leaves: [SILENT, LIST] },
  'ignore-hats-file-loop': { changes: [HATS_FILE], shows: ['exit'], elsewhere: true, leaves: [SOLO, TEAM] },
  'no-diagnostics': { changes: [RECORDED], shows: ['files'], elsewhere: true, leaves: [SOLO, TEAM] },
  crash: {
    changes: [SOLO, TEAM],
    shows: ['exit', 'reason'],
    elsewhere: true,
    leaves: [LIST, USAGE, NO_BACKEND],
  },
};
