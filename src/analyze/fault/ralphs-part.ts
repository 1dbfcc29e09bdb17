import { confirmedEmits } from '../../domain/diagnosis/clues.js';
import type { Evidence, Iteration } from '../../domain/evidence/evidence.js';
import { pendingIn, topicsSeen, wornIn } from '../../domain/evidence/facts.js';
import { isSummary, RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { type RunView, triggersHat } from '../../domain/evidence/run-view.js';
import { allCalls, declares, eventsOf, ralphCommands } from './deeds.js';

/**
 * Returns what the evidence does not show of Ralph's part, in one sentence; null if it shows all of it, whatever the checks
 * say. Each part is a promise that an agent depends on. If Ralph broke one, whatever the agent did next may be a consequence.
 */
export function findBrokenPart(evidence: Evidence, arranged: RunView): string | null {
  const open = PARTS.find(({ holds }) => !holds(evidence, arranged));
  return open === undefined ? null : `The records do not show that ${open.part}.`;
}

interface Part {
  readonly part: string;
  readonly holds: (evidence: Evidence, arranged: RunView) => boolean;
}

const PARTS: readonly Part[] = [
  { part: 'the end of the process fits what Ralph recorded', holds: exitsInOrder },
  { part: 'Ralph logged each iteration with its prompt, and no more than allowed', holds: countsIterations },
  { part: 'the end fits what the agent declared', holds: endsRightly },
  { part: 'every prompt has the objective', holds: sendsTheObjective },
  { part: 'every prompt says how to publish events and how to end the loop', holds: sendsTheGuide },
  {
    part: 'every prompt has the instructions of its hat and of no other, or the names of all hats',
    holds: sendsHatInstructions,
  },
  { part: 'only the coordinator was asked to start the workflow', holds: asksToStartOnce },
  { part: 'each hat was active for an event that triggers it', holds: routesEvents },
  { part: 'every event of an agent is in the next prompt', holds: handsEventsOn },
  { part: 'every event that Ralph confirmed is in its records', holds: keepsConfirmedEvents },
  { part: 'every command of Ralph that the agent ran was answered', holds: answersCommands },
  { part: 'every memory that Ralph confirmed is in the store', holds: keepsConfirmedMemories },
  { part: 'every prompt has the memories', holds: sendsMemories },
  { part: 'every prompt has the notes of earlier iterations', holds: sendsNotes },
  { part: 'the agent closed all tasks, so that no prompt had to list one', holds: sendsTasks },
  { part: 'what people sent is in a prompt', holds: sendsGuidance },
  { part: 'every prompt teaches the commands for memories and tasks', holds: sendsSkills },
];

function exitsInOrder({
  exit,
  termination,
  leftBehind,
  malformedLines,
  backendErrors,
  cut,
}: Evidence): boolean {
  return (
    exit.kind === 'exited' &&
    termination !== null &&
    termination.exitCode === exit.code &&
    (termination.reason === 'completed') === (exit.code === 0) &&
    leftBehind.length === 0 &&
    malformedLines.length === 0 &&
    backendErrors.length === 0 &&
    cut === undefined
  );
}

function countsIterations({ iterations, termination }: Evidence, { maxIterations }: RunView): boolean {
  const last = iterations.at(-1);
  return (
    last !== undefined &&
    iterations.every(
      ({ number, prompt, durationSeconds }, index) =>
        prompt !== null && durationSeconds !== null && number === (iterations[0]?.number ?? 0) + index,
    ) &&
    (termination?.iterations ?? last.number) === last.number &&
    last.number <= maxIterations
  );
}

/**
 * Ralph ends a loop as completed if and only if the agent declared it, and else at its limit. It rejects a declaration while a
 * required event is missing, or a message of a person is not acknowledged.
 */
function endsRightly(evidence: Evidence, arranged: RunView): boolean {
  const { iterations, termination, tasks } = evidence;
  const { promise, maxIterations, persistent, requiredEvents } = arranged;
  const declared = iterations.filter((iteration) => declares(evidence, iteration, promise));
  const last = iterations.at(-1);
  if (last === undefined) return false;
  switch (termination?.reason) {
    case 'completed':
      return (
        declared.at(-1) === last &&
        declared.slice(0, -1).every(({ number }) => isBlocked(recordedBy(evidence, number), arranged)) &&
        last.number < maxIterations &&
        !persistent &&
        requiredEvents.every((topic) => topicsSeen(evidence).has(topic)) &&
        !tasks.some(({ status }) => status === 'open' || status === 'in_progress')
      );
    case 'max_iterations':
      return (
        last.number === maxIterations &&
        (persistent || isBlocked(evidence, arranged) || declared.every((iteration) => iteration === last))
      );
    default:
      return false;
  }
}

/** The evidence with the events that Ralph had recorded when an iteration ended. */
function recordedBy(evidence: Evidence, iteration: number): Evidence {
  const end = evidence.events.findIndex((event) => isSummary(event) && event.iteration === iteration);
  return { ...evidence, events: evidence.events.slice(0, end === -1 ? undefined : end) };
}

/** Whether something kept the loop from completing until its end. */
function isBlocked(evidence: Evidence, { requiredEvents }: RunView): boolean {
  const topics = evidence.events.map(({ topic }) => topic);
  return (
    requiredEvents.some((topic) => !topicsSeen(evidence).has(topic)) ||
    topics.lastIndexOf('human.guidance') > topics.lastIndexOf('human.guidance.ack')
  );
}

function sendsTheObjective({ iterations, promptText }: Evidence): boolean {
  return iterations.every(({ prompt }) => prompt?.includes(promptText.trim()) === true);
}

/** Every prompt says how to publish an event, and those of the coordinator how to end the loop. */
function sendsTheGuide({ iterations }: Evidence, { promise }: RunView): boolean {
  return iterations.every((iteration) => {
    const prompt = iteration.prompt ?? '';
    return prompt.includes('ralph emit') && (wornIn(iteration) !== 'ralph' || prompt.includes(promise));
  });
}

/** The active hat gets its instructions, and the coordinator gets the names of all hats. */
function sendsHatInstructions(evidence: Evidence, { hats }: RunView): boolean {
  return evidence.iterations.every((iteration) => {
    const prompt = iteration.prompt ?? '';
    const pending = pendingIn(evidence, iteration.number) ?? [];
    const [worn, idle] = [
      hats.find(({ id }) => id === wornIn(iteration)),
      hats.filter((hat) => !pending.some(({ topic }) => triggersHat(hat, topic))),
    ];
    const own = worn?.instructions.trim() ?? '';
    if (idle.some(({ instructions: other }) => !own.includes(other.trim()) && prompt.includes(other.trim())))
      return false;
    return worn === undefined
      ? wornIn(iteration) === 'ralph' && hats.every(({ name, id }) => prompt.includes(name || id))
      : prompt.includes(own);
  });
}

function asksToStartOnce({ iterations }: Evidence, { startingEvent }: RunView): boolean {
  return iterations.every(
    (iteration) =>
      wornIn(iteration) === 'ralph' || iteration.prompt?.includes(`publish \`${startingEvent}\``) !== true,
  );
}

/** A hat is active if and only if a pending event triggers it. */
function routesEvents(evidence: Evidence, { hats }: RunView): boolean {
  return evidence.iterations.every((iteration) => {
    const topics = (pendingIn(evidence, iteration.number) ?? []).map(({ topic }) => topic);
    const triggered = hats.filter((hat) => topics.some((topic) => triggersHat(hat, topic)));
    const worn = wornIn(iteration);
    return worn === 'ralph' ? triggered.length === 0 : triggered.some(({ id }) => id === worn);
  });
}

/** What an agent published is in the next prompt, with its whole payload. Messages of people have a section of their own. */
function handsEventsOn(evidence: Evidence): boolean {
  const { iterations } = evidence;
  return iterations.slice(0, -1).every((iteration, index) => {
    const next = iterations[index + 1]?.prompt ?? '';
    return eventsOf(evidence, iteration.number).every(
      ({ topic, payload }) =>
        topic === 'human.guidance' || next.includes(`Event: ${topic} - ${(payload ?? '').trim()}`),
    );
  });
}

/** Each event that Ralph confirmed, and each event tag, is in its records. */
function keepsConfirmedEvents(evidence: Evidence): boolean {
  const recorded = evidence.events.filter(({ source }) => source === 'agent').map(({ topic }) => topic);
  const published = [
    ...confirmedEmits(evidence).map(({ topic }) => topic),
    ...evidence.iterations.flatMap(({ said }) =>
      [...said.matchAll(/<event topic="([^"]+)"/g)].map(([, topic = '']) => topic),
    ),
  ];
  return [...new Set(published)].every(
    (topic) =>
      recorded.filter((one) => one === topic).length >= published.filter((one) => one === topic).length,
  );
}

/** No command of Ralph failed, and every `ralph emit` was confirmed. */
function answersCommands(evidence: Evidence): boolean {
  return allCalls(evidence).every((call) => {
    const commands = ralphCommands(call);
    if (commands.length === 0) return true;
    const emits = commands.filter((command) => command.startsWith('emit'));
    const confirmed = (call.result ?? '').match(/Event emitted: /g)?.length ?? 0;
    return !call.isError && confirmed >= emits.length;
  });
}

/** Each memory that Ralph confirmed is in the store, unless the agent deleted memories. */
function keepsConfirmedMemories(evidence: Evidence): boolean {
  const calls = allCalls(evidence);
  if (
    calls.some((call) => ralphCommands(call).some((command) => command.startsWith('tools memory delete')))
  ) {
    return true;
  }
  const confirmed = listStored(allCalls(evidence).map(({ result }) => result));
  return confirmed.every((id) => evidence.memories.some((memory) => memory.id === id));
}

/** Memories that were there before the run are in every prompt, unless the configuration keeps them out. */
function sendsMemories(evidence: Evidence, { memories: settings }: RunView): boolean {
  const { memories, iterations } = evidence;
  if (!settings.enabled) return true;
  const own = listStored([
    ...allCalls(evidence).map(({ result }) => result),
    ...evidence.errands.filter(({ when }) => when === 'after').map(({ stdout }) => stdout),
  ]);
  const lines = memories.filter(({ id }) => !own.includes(id)).flatMap(({ content }) => content.split('\n'));
  const shows = (is: boolean) =>
    iterations.every(({ prompt }) => lines.every((line) => prompt?.includes(line) === is));
  if (settings.inject !== 'auto') return shows(false);
  return lines.length === 0 || (settings.budget === 0 && shows(true));
}

/** The memories that Ralph confirmed in these answers. */
function listStored(answers: readonly (string | null)[]): string[] {
  return answers.flatMap((answer) =>
    [...(answer ?? '').matchAll(/Memory stored: (mem-\S+)/g)].map(([, id = '']) => id),
  );
}

/** Notes from before the run are in the first prompt, and notes of an iteration in the next. */
function sendsNotes(evidence: Evidence): boolean {
  const { iterations, scratchpad } = evidence;
  const shows = (iteration: Iteration | undefined) => iteration?.prompt?.includes('<scratchpad') === true;
  if (scratchpad.before !== null && scratchpad.before.trim() !== '' && !iterations.every(shows)) return false;
  const first = iterations.findIndex(({ toolCalls }) =>
    toolCalls.some(({ input, name }) => input.includes('scratchpad.md') && name !== 'Read'),
  );
  return first === -1 || iterations.slice(first + 1).every(shows);
}

/** Tasks are in the prompts. Which of them must be there depends on their history, so any task is a doubt. */
function sendsTasks({ tasks }: Evidence): boolean {
  return tasks.every(({ status }) => status === 'closed');
}

/** What people sent while the loop ran is in a prompt. */
function sendsGuidance({ events, iterations }: Evidence): boolean {
  return events
    .filter(({ topic }) => topic === RALPH_TOPICS.guidance)
    .every(({ payload }) =>
      iterations.some(({ prompt }) => prompt?.includes((payload ?? '').trim()) === true),
    );
}

/** An agent that is to use memories or tasks is told how. */
function sendsSkills({ iterations }: Evidence, { skills, memories, tasks }: RunView): boolean {
  if (!skills) return true;
  const taught = [
    ...(memories.enabled ? ['ralph tools memory add'] : []),
    ...(tasks ? ['ralph tools task add'] : []),
  ];
  return iterations.every(({ prompt }) => taught.every((command) => prompt?.includes(command) === true));
}
