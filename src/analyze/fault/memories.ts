import type { CheckResult } from '../../domain/check.js';
import { findErrand } from '../../domain/checks/errands.js';
import { allCalls, ralphCommands, ranRalph, touched } from './deeds.js';
import { isAllVisible, type Loop, wasAskedFor } from './loop.js';

/** What an agent made of the memories that it was asked to store or to delete. */

/** Says that the agent stored no memory, or another than it was asked to. */
export function explainMemory(check: CheckResult, loop: Loop): string | null {
  const { text = '' } = check.about ?? {};
  const { evidence } = loop;
  if (!isAllVisible(loop) || !wasAskedFor(loop, text)) return null;
  if (isStored(loop, text)) return check.kind === 'memoryStored' ? explainLabels(loop, text) : null;
  if (!ranRalph(evidence, 'memory', 'add')) return 'No iteration stored a memory; the prompt asked for it.';
  const other = evidence.memories.find(({ content }) => ranRalph(evidence, 'memory', 'add', content));
  return other === undefined || touched(evidence, text)
    ? null
    : `The agent stored ${JSON.stringify(other.content)} and not ${JSON.stringify(text)}; the prompt asked for it.`;
}

/** Says that Ralph stored a memory with just the type and the tags that the agent gave. */
function explainLabels({ evidence }: Loop, text: string): string | null {
  const [stored, ...others] = evidence.memories.filter(({ content }) => content === text);
  const [given, ...more] = allCalls(evidence)
    .flatMap(ralphCommands)
    .filter((command) => command.startsWith('tools memory add') && command.includes(text));
  if (stored === undefined || given === undefined || others.length + more.length > 0) return null;
  const [type = 'pattern', tags = ''] = [/ (?:-t|--type)[ =]+(\w+)/, / --tags[ =]+["'\\]*([\w,-]+)/].map(
    (option) => option.exec(given)?.[1],
  );
  return stored.type === type && stored.tags.join(',') === tags
    ? `The agent stored the memory with the type ${type} and the tags ${tags || 'none'}; the prompt asked for others.`
    : null;
}

/** A memory cannot be in a prompt if the agent ended the loop in the iteration that stored it. */
export function explainInjected(check: CheckResult, loop: Loop): string | null {
  const { declared, evidence } = loop;
  const stored = evidence.memories.find(({ content }) => content === check.about?.text);
  const isLate =
    declared === evidence.iterations.at(-1) &&
    declared?.toolCalls.some(({ result }) => result?.trim() === `Memory stored: ${stored?.id}`);
  return isLate === true
    ? `The agent stored the memory and declared completion in iteration ${declared?.number}.`
    : explainMemory(check, loop);
}

/** The list differs because the store does, and shows whatever the agent stored. */
export function explainListed(check: CheckResult, loop: Loop): string | null {
  const { texts = [], names: [args = ''] = [] } = check.about ?? {};
  const { evidence } = loop;
  const missing = texts.filter((text) => !isStored(loop, text));
  const own = evidence.memories.filter(({ content }) => ranRalph(evidence, 'memory', 'add', content));
  const listed = findErrand(evidence, args);
  if (listed?.exitCode !== 0 || !own.every(({ content }) => listed.stdout.includes(JSON.stringify(content))))
    return null;
  const why = missing.map((text) => explainMemory({ ...check, about: { text } }, loop));
  return why.every((one) => one !== null) ? (why[0] ?? null) : null;
}

/** Says that the agent kept a memory that it was asked to delete. */
export function explainKeptMemory(check: CheckResult, loop: Loop): string | null {
  const { text = '' } = check.about ?? {};
  if (!isAllVisible(loop) || !isStored(loop, text)) return null;
  return ranRalph(loop.evidence, 'memory') || !wasAskedFor(loop, 'delete')
    ? null
    : 'No iteration deleted the memory; the prompt asked for it.';
}

function isStored({ evidence }: Loop, text: string): boolean {
  return evidence.memories.some(({ content }) => content === text);
}
