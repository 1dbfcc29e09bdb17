import type { CheckResult } from '../../../../domain/check.js';
import { findErrand } from '../../../../domain/checks/errands.js';
import { contentOf } from '../../../../domain/checks/file-content.js';
import { list, quote } from '../../../../domain/checks/text.js';
import type { HeldPromise } from '../../../../domain/contract.js';
import { awaitedEvent, hasWording, wordingOf } from '../../../../domain/diagnosis/check-facts.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { pendingIn, promiseOf } from '../../../../domain/evidence/facts.js';

/**
 * Something general that a special promise depends on. A test of the special one fails as well if the general one is
 * broken, so the run as a whole is looked at before the special one is blamed.
 */
interface Basis {
  readonly promise: HeldPromise;
  /** Whether a failed check depends on it. */
  readonly concerns: (check: CheckResult, evidence: Evidence) => boolean;
  /** What the run shows. */
  readonly look: (evidence: Evidence, check: CheckResult) => Sight;
}

/** `works`: it worked at least once. `broken`: it never did where it had to. `unseen`: the run had no occasion for it. */
type Sight = { readonly state: 'works' } | { readonly state: 'broken' | 'unseen'; readonly text: string };

const WORKS: Sight = { state: 'works' };

/** What a special promise depends on and does not have, as far as the run shows. */
export interface FoundBasis {
  readonly promise: HeldPromise;
  readonly text: string;
  /** False if the run had no occasion to show it. */
  readonly isBroken: boolean;
}

/** Finds what is broken or unseen below a failed check. Null if the general things work. */
export function findBasis(check: CheckResult, evidence: Evidence): FoundBasis | null {
  for (const { promise, concerns, look } of BASES) {
    const sight = concerns(check, evidence) ? look(evidence, check) : WORKS;
    if (sight.state !== 'works') return { promise, text: sight.text, isBroken: sight.state === 'broken' };
  }
  return null;
}

const promptParts: Basis = {
  promise: {
    area: 'prompt',
    promise: 'Every prompt tells the agent who it is, and that it has fresh context.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
  },
  concerns: (check) => check.kind === 'promptContained' && awaitedEvent(check) === null,
  look: ({ iterations }) =>
    promptsOf(iterations).some((prompt) => /^### GUARDRAILS$/m.test(prompt))
      ? WORKS
      : { state: 'broken', text: 'No prompt of this run has the orientation and the guardrails.' },
};

const pendingEvents: Basis = {
  promise: {
    area: 'prompt',
    promise:
      'A prompt lists every pending event with its whole payload, in order; without hats and with them.',
    source: 'ralph-core/src/event_loop/mod.rs: build_prompt',
  },
  concerns: (check) =>
    check.kind === 'pendingEvents' || check.kind === 'pendingAfter' || awaitedEvent(check) !== null,
  look: (evidence) => {
    const listed = evidence.iterations.flatMap(({ number }) => pendingIn(evidence, number) ?? []);
    if (listed.some(({ topic }) => !KICKOFFS.has(topic))) return WORKS;
    const last = evidence.iterations.at(-1)?.number ?? 0;
    const published = evidence.events.filter(
      ({ source, iteration, topic }) =>
        source === 'agent' && iteration !== null && iteration < last && topic !== promiseOf(evidence),
    );
    const topics = [...new Set(published.map(({ topic }) => topic))];
    return topics.length > 0
      ? {
          state: 'broken',
          text: `No prompt of this run lists an event that was published, although the events file has ${list(topics.slice(0, 3))}.`,
        }
      : {
          state: 'unseen',
          text: 'No prompt of this run lists any event besides the request: nothing here shows that pending events reach prompts at all.',
        };
  },
};

/** The events with which a session begins. */
const KICKOFFS: ReadonlySet<string> = new Set(['task.start', 'task.resume']);

const notes: Basis = {
  promise: {
    area: 'prompt',
    promise: 'The notes of earlier iterations are in the prompt, whole up to 16,000 bytes.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_scratchpad',
    about: ['config core.scratchpad.path'],
  },
  concerns: (check, evidence) => check.kind === 'promptContained' && hasWording(notesOf(evidence), check),
  look: ({ iterations }) =>
    promptsOf(iterations).some((prompt) => /^<scratchpad\b/m.test(prompt))
      ? WORKS
      : { state: 'broken', text: `No prompt of this run has notes, although ${NOTES} has some.` },
};

const NOTES = '.ralph/agent/scratchpad.md';

function notesOf(evidence: Evidence): string {
  const content = contentOf(evidence, NOTES);
  return content.kind === 'whole' ? content.text : '';
}

const readyTasks: Basis = {
  promise: {
    area: 'tasks',
    promise: 'The prompt counts ready, open and done tasks, and lists ready ones with priority, id and key.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
  },
  concerns: (check, { tasks }) =>
    check.category === 'PromptContent' && tasks.some(({ title }) => wordingOf(check).includes(title)),
  look: ({ iterations }) =>
    promptsOf(iterations).some((prompt) => /^<ready-tasks>$/m.test(prompt))
      ? WORKS
      : {
          state: 'broken',
          text: 'No prompt of this run has a list of tasks, although the tasks file has some.',
        },
};

const memoriesInPrompts: Basis = {
  promise: {
    area: 'memories',
    promise: 'With `inject: auto` every prompt begins with the memories, by type, with their tags.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    about: ['config memories.inject'],
  },
  concerns: (check, { memories }) =>
    check.kind === 'memoryInjected' && memories.some(({ content }) => content === check.about?.text),
  look: ({ iterations }) =>
    promptsOf(iterations).some((prompt) => /^# Memories$/m.test(prompt))
      ? WORKS
      : { state: 'broken', text: 'No prompt of this run has memories, although the memories file has some.' },
};

const STORES = {
  area: 'memories',
  promise: 'A new memory is stored under the heading of its type, with its tags and the date of the day.',
  source: 'ralph-core/src/memory_store.rs: append',
  about: ['command tools memory add', 'flag tools memory add --type', 'flag tools memory add --tags'],
} as const satisfies HeldPromise;

const storedMemories: Basis = {
  promise: STORES,
  concerns: (check, evidence) => isAboutMemories(check) && confirmedMemories(evidence) > 0,
  look: ({ memories }, { kind }) =>
    memories.length > 0
      ? WORKS
      : {
          // A prompt may lack it because of what came between.
          state: kind === 'memoryInjected' ? 'unseen' : 'broken',
          text: 'Ralph confirmed a new memory, and in the end the memories file has none.',
        },
};

const memoryTypes: Basis = {
  promise: STORES,
  concerns: isAboutMemories,
  look: ({ memories }, { about = {} }) => {
    const type = /(?:--type|-t) (\w+)/.exec(about.names?.[0] ?? '')?.[1];
    const other = memories.find(({ content }) => (about.texts ?? [about.text]).includes(content));
    return type === undefined || other === undefined || other.type === type
      ? WORKS
      : { state: 'broken', text: `The memories file has ${quote(other.content, 60)} as ${other.type}.` };
  },
};

function isAboutMemories({ kind, about = {} }: CheckResult): boolean {
  const isListed = kind === 'errandAnswered' || kind === 'memoriesListed';
  return kind === 'memoryInjected' || (isListed && /^tools memory /.test(about.names?.[0] ?? ''));
}

/** How many memories Ralph said that it had stored. */
function confirmedMemories({ errands, iterations }: Evidence): number {
  const added = errands.filter(
    ({ command, exitCode }) => exitCode === 0 && /\bmemory add /.test(command.join(' ')),
  );
  const calls = iterations.flatMap(({ toolCalls }) => toolCalls);
  return (
    added.length +
    calls.filter(({ input, isError }) => !isError && /ralph tools memory add /.test(input)).length
  );
}

const completion: Basis = {
  promise: {
    area: 'completion',
    promise: 'A loop completes when the promise stands alone on the last non-empty line of the output.',
    source: 'ralph-core/src/event_parser.rs: contains_promise',
  },
  concerns: (check, evidence) => {
    const [args = ''] = check.about?.names ?? [];
    const isRun = check.kind === 'errandAnswered' && /^run\b/.test(args);
    return isRun && check.about?.exitCode === 0 && findErrand(evidence, args)?.exitCode === AT_A_LIMIT;
  },
  look: ({ errands, termination }) =>
    termination?.reason === 'completed' ||
    errands.some(({ command, exitCode }) => exitCode === 0 && command.includes('run'))
      ? WORKS
      : {
          state: 'unseen',
          text: 'No loop of this test completes: either completion is broken, or a limit stops every loop.',
        },
};

/** Ralph's exit code when a loop ends at one of its limits. */
const AT_A_LIMIT = 2;

function promptsOf(iterations: Evidence['iterations']): string[] {
  return iterations.flatMap(({ prompt }) => (prompt === null ? [] : [prompt]));
}

/** What is most general comes first. */
export const BASES: readonly Basis[] = [
  promptParts,
  pendingEvents,
  storedMemories,
  memoryTypes,
  memoriesInPrompts,
  notes,
  readyTasks,
  completion,
];
