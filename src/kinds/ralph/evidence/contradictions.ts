import type { Invocation } from '../../../domain/agent-script.js';
import { isLoopEnd, isSummary } from '../../../domain/evidence/ralph-words.js';
import type { EventsFile } from './events.js';
import type { LoggedPrompt } from './prompt-log.js';
import type { IterationOutput } from './transcript.js';

/** What is compared: the files in the workspace, and what the agent cannot write so easily. */
interface Sources {
  readonly events: EventsFile;
  readonly prompts: readonly LoggedPrompt[];
  readonly transcript: readonly IterationOutput[];
  /** The calls of the stand-ins, which know what they were sent. */
  readonly invocations: readonly Invocation[];
  /** Whether a time is within the run that is judged. Other runs before and after it call agents, too. */
  readonly isWithin: (at: string) => boolean;
  /** Whether this Ralph records the end of each iteration. */
  readonly recordsSummaries: boolean;
}

/**
 * Finds contradictions between Ralph's files and what it printed and sent. The files are in the workspace, where an agent
 * can write whatever it likes; the output goes to us directly, and Ralph prints its own lines before and after the agent.
 */
export function findContradictions(sources: Sources): string[] {
  return [...compareIterations(sources), ...compareEnds(sources), ...comparePrompts(sources)];
}

function compareIterations({ events, transcript, recordsSummaries }: Sources): string[] {
  if (!recordsSummaries || transcript.length === 0 || events.path === null) return [];
  const headers = new Set(transcript.map(({ number }) => number));
  const footers = transcript.filter(({ seconds }) => seconds !== undefined).map(({ number }) => number);
  const recorded = events.events.filter(isSummary).map(({ iteration }) => iteration ?? 0);
  const unseen = recorded.filter((number) => !headers.has(number));
  const twice = recorded.filter((number, index) => recorded.indexOf(number) !== index);
  // Of very many events some are left out: then nobody knows what the file has.
  const lost = events.leftOut > 0 ? [] : footers.filter((number) => !recorded.includes(number));
  return [
    ...unseen.map((number) => `the events have an end of iteration ${number}, which Ralph did not print`),
    ...twice.map((number) => `the events have several ends of iteration ${number}`),
    ...lost.map((number) => `Ralph printed the end of iteration ${number}, which the events do not have`),
  ];
}

/** Ralph records one end, after everything else of the loop. */
function compareEnds({ events: { events } }: Sources): string[] {
  const count = events.filter(isLoopEnd).length;
  return count > 1 ? [`the events have ${count} ends of the loop`] : [];
}

function comparePrompts({ prompts, invocations, transcript, isWithin }: Sources): string[] {
  const calls = invocations.filter(({ afterTool }) => afterTool !== true);
  const sent = calls.flatMap(({ promptHash = '' }) => (promptHash === '' ? [] : [promptHash]));
  const logged = new Set(prompts.flatMap(({ hash = '' }) => (hash === '' ? [] : [hash])));
  const headers = new Set(transcript.map(({ number }) => number));
  const never = prompts.filter(({ iteration }) => headers.size > 0 && !headers.has(iteration));
  const other = prompts.filter(({ hash }) => hash !== undefined && !sent.includes(hash));
  // A hat may have a command that is not ours and keeps no log. But then no prompt of ours is missing in Ralph's log.
  const isForged = calls.some(
    ({ promptHash, at }) => promptHash !== undefined && !logged.has(promptHash) && isWithin(at),
  );
  return [
    ...never.map(
      ({ iteration }) => `the log has a prompt of iteration ${iteration}, which Ralph did not print`,
    ),
    ...(isForged ? other : []).map(
      ({ iteration }) => `the log of the prompt of iteration ${iteration} is not what the agent was sent`,
    ),
  ];
}
