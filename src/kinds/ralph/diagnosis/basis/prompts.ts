import type { CheckResult } from '../../../../domain/check.js';
import { contentOf } from '../../../../domain/checks/file-content.js';
import { list } from '../../../../domain/checks/text.js';
import { hasWording, wordingOf } from '../../../../domain/diagnosis/check-facts.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { pendingIn, promiseOf } from '../../../../domain/evidence/facts.js';
import { isKickoff, RALPH_FILES, RALPH_TOPICS } from '../../../../domain/evidence/ralph-words.js';
import { type Basis, WORKS } from './basis.js';

const promptParts = partOfPrompts({
  promise: {
    area: 'prompt',
    promise: 'Every prompt tells the agent who it is, and that it has fresh context.',
    source: 'ralph-core/src/hatless_ralph.rs: core_prompt',
  },
  concerns: (check) => check.kind === 'promptContained',
  part: /^### GUARDRAILS$/m,
  missing: 'No prompt of this run has the orientation and the guardrails.',
});

/** The section about the active hat, if it does not begin with the instructions of that hat. */
const EMPTY_HAT = /^## ACTIVE HAT\s*\n#{2,3} (?!.* Instructions$)/m;

/** Where the instructions of hats come from does not matter here: ralph.yml, a collection, or an imported file. */
export const hatInstructions: Basis = {
  promise: {
    area: 'hats',
    promise: 'The prompt has the instructions of the active hat, and those of no other hat.',
    source: 'ralph-core/src/hatless_ralph.rs: hats_section',
    about: ['config hats.*.instructions'],
  },
  concerns: ({ kind }) => kind === 'promptContained' || kind === 'toldOnlyTo',
  look: ({ iterations }) => {
    const prompts = iterations.flatMap(({ prompt }) => (prompt?.includes('## ACTIVE HAT\n') ? [prompt] : []));
    return prompts.length > 0 && prompts.every((prompt) => EMPTY_HAT.test(prompt))
      ? { state: 'broken', text: 'No prompt of this run has the instructions of an active hat.' }
      : WORKS;
  },
};

const pendingEvents: Basis = {
  promise: {
    area: 'prompt',
    promise:
      'A prompt lists every pending event with its whole payload, in order; without hats and with them.',
    source: 'ralph-core/src/event_loop/mod.rs: build_prompt',
  },
  concerns: (check) => check.kind === 'pendingEvents' || check.kind === 'pendingAfter' || isAboutEvent(check),
  look: (evidence) => {
    const listed = evidence.iterations.flatMap(({ number }) => pendingIn(evidence, number) ?? []);
    if (evidence.iterations.every(({ prompt }) => prompt === null)) return WORKS;
    if (listed.some(({ topic }) => !isKickoff(topic))) return WORKS;
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

/** Whether a check wants a line that lists an event. */
function isAboutEvent(check: CheckResult): boolean {
  return check.kind === 'promptContained' && /^(?:\/\^)?Event: /.test(wordingOf(check));
}

const notes = partOfPrompts({
  promise: {
    area: 'prompt',
    promise: 'The notes of earlier iterations are in the prompt, whole up to 16,000 bytes.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_scratchpad',
    about: ['config core.scratchpad.path'],
  },
  concerns: (check, evidence) => check.kind === 'promptContained' && hasWording(notesOf(evidence), check),
  part: /^<scratchpad\b/m,
  missing: 'No prompt of this run has notes, although .ralph/agent/scratchpad.md has some.',
});

function notesOf(evidence: Evidence): string {
  const content = contentOf(evidence, RALPH_FILES.scratchpad);
  return content.kind === 'whole' ? content.text : '';
}

const readyTasks = partOfPrompts({
  promise: {
    area: 'tasks',
    promise: 'The prompt counts ready, open and done tasks, and lists ready ones with priority, id and key.',
    source: 'ralph-core/src/event_loop/mod.rs: prepend_ready_tasks',
  },
  concerns: (check, { tasks }) =>
    check.category === 'PromptContent' && tasks.some(({ title }) => wordingOf(check).includes(title)),
  part: /^<ready-tasks>$/m,
  missing: 'No prompt of this run has a list of tasks, although the tasks file has some.',
});

const memoriesInPrompts = partOfPrompts({
  promise: {
    area: 'memories',
    promise: 'With `inject: auto` every prompt begins with the memories, by type, with their tags.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_memories_and_tools_skill',
    about: ['config memories.inject'],
  },
  concerns: (check, { memories }) =>
    check.kind === 'memoryInjected' && memories.some(({ content }) => content === check.about?.text),
  part: /^# Memories$/m,
  missing: 'No prompt of this run has memories, although the memories file has some.',
});

const guidance = partOfPrompts({
  promise: {
    area: 'human',
    promise: 'Guidance from a person is in the next prompt, without hats and with an active hat.',
    source: 'ralph-core/src/hatless_ralph.rs: collect_robot_guidance',
  },
  concerns: (check, { events }) =>
    check.category === 'PromptContent' && events.some(({ topic }) => topic === RALPH_TOPICS.guidance),
  part: /^## ROBOT GUIDANCE$/m,
  missing: 'No prompt of this run has messages of people, although the events file has human.guidance.',
});

const eventsOnce: Basis = {
  promise: {
    area: 'prompt',
    promise: 'An event is pending in one prompt only: the next iteration does not see it again.',
    source: 'ralph-proto/src/event_bus.rs: take_pending',
  },
  directions: ['excess'],
  concerns: ({ kind, about = {} }) => kind === 'pendingEvents' && about.iteration !== undefined,
  look: (evidence, { about = {} }) => {
    const { iteration = 0, topics = [] } = about;
    const earlier = pendingIn(evidence, iteration - 1) ?? [];
    const again = (pendingIn(evidence, iteration) ?? []).find(
      ({ topic, payload }) =>
        !topics.includes(topic) && earlier.some((one) => one.topic === topic && one.payload === payload),
    );
    return again === undefined
      ? WORKS
      : {
          state: 'broken',
          text: `${again.topic} was already pending in iteration ${iteration - 1}, with the same payload.`,
        };
  },
};

/** A part that Ralph puts into prompts. It is broken if prompts were recorded and none of them has it. */
function partOfPrompts({ part, missing, ...basis }: PartOfPrompts): Basis {
  return {
    ...basis,
    look: ({ iterations }) => {
      const prompts = iterations.flatMap(({ prompt }) => (prompt === null ? [] : [prompt]));
      const isMissing = prompts.length > 0 && !prompts.some((prompt) => part.test(prompt));
      return isMissing ? { state: 'broken', text: missing } : WORKS;
    },
  };
}

interface PartOfPrompts extends Pick<Basis, 'promise' | 'concerns'> {
  readonly part: RegExp;
  /** What to say if no prompt has it. */
  readonly missing: string;
}

/** What stands in prompts, whatever a test is about. */
export const PROMPT_BASES: readonly Basis[] = [
  promptParts,
  hatInstructions,
  pendingEvents,
  eventsOnce,
  guidance,
];

/** What is stored and stands in prompts. */
export const BLOCK_BASES: readonly Basis[] = [memoriesInPrompts, notes, readyTasks];
