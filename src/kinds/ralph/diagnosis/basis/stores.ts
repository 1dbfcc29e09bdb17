import type { CheckResult } from '../../../../domain/check.js';
import { contentOf } from '../../../../domain/checks/file-content.js';
import { quote } from '../../../../domain/checks/text.js';
import type { HeldPromise } from '../../../../domain/contract.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';
import { type Basis, WORKS } from './basis.js';

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

const wholeMemories: Basis = {
  promise: STORES,
  concerns: ({ kind }) => kind === 'memoryInjected',
  look: ({ memories }, { about = {} }) => {
    const part = memories.find(({ content }) => content !== about.text && isPart(content, about.text ?? ''));
    return part === undefined
      ? WORKS
      : { state: 'broken', text: `The memories file has only a part of it: ${quote(part.content, 60)}.` };
  },
};

/** Whether a stored text is the beginning of a longer one. A mark may stand for the rest. */
function isPart(stored: string, whole: string): boolean {
  const head = stored.slice(0, Math.max(MOST_HEAD, stored.length - MOST_MARK));
  return stored.length >= MOST_HEAD && stored.length < whole.length && whole.startsWith(head);
}

const MOST_HEAD = 40;
const MOST_MARK = 20;

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

const sideFiles: Basis = {
  promise: {
    area: 'emit',
    promise: 'Before any run, an event goes to the file that is named, or to .ralph/events.jsonl.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
  },
  concerns: ({ kind, about = {} }) => kind === 'errandAnswered' && /^events\b/.test(about.names?.[0] ?? ''),
  look: (evidence, { about = {} }) => {
    const file = /--file (\S+)/.exec(about.names?.[0] ?? '')?.[1] ?? '.ralph/events.jsonl';
    const emits = evidence.errands.filter(
      ({ command, exitCode }) => exitCode === 0 && command.includes('emit') && command.includes(file),
    );
    return emits.length === 0 || contentOf(evidence, file).kind !== 'absent'
      ? WORKS
      : { state: 'broken', text: `Ralph confirmed an event for ${file}, and there is no such file.` };
  },
};

/** What is in the files that commands and prompts show. */
export const STORE_BASES: readonly Basis[] = [storedMemories, wholeMemories, memoryTypes, sideFiles];
