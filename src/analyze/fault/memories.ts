import type { CheckResult } from '../../domain/check.js';
import { findErrand } from '../../domain/checks/errands.js';
import { ranRalph, touched } from './deeds.js';
import { isAllVisible, type Loop, wasAskedFor } from './loop.js';

/** What an agent made of the memories that it was asked to store or to delete. */

/** Says that the agent stored no memory, or another than it was asked to. */
export function explainMemory(check: CheckResult, loop: Loop): string | null {
  const { text = '' } = check.about ?? {};
  const { evidence } = loop;
  if (!isAllVisible(loop) || !wasAskedFor(loop, text) || isStored(loop, text)) return null;
  if (!ranRalph(evidence, 'memory', 'add')) return 'No iteration stored a memory; the prompt asked for it.';
  const other = evidence.memories.find(({ content }) => ranRalph(evidence, 'memory', 'add', content));
  return other === undefined || touched(evidence, text)
    ? null
    : `The agent stored ${JSON.stringify(other.content)} and not ${JSON.stringify(text)}; the prompt asked for it.`;
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
