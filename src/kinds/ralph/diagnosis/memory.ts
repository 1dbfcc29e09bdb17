import type { CheckResult } from '../../../domain/check.js';
import { wordingOf } from '../../../domain/diagnosis/check-facts.js';
import { type Case, quoteCheck } from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { type ConfigClues, readConfig } from './config-clues.js';

/** Checks on ralph's own store, and on how it comes into prompts. */
const STORE_KINDS: ReadonlySet<string> = new Set([
  'memoryStored',
  'memoryAbsent',
  'memoryInjected',
  'keptOutOfPrompt',
  'noMemoriesInjected',
  'memoryBudgetKept',
  'memoriesListed',
  'errandAnswered',
]);

const configuredOtherwise: DiagnosisRule = {
  name: 'memories-configured-otherwise',
  type: 'ConfigurationError',
  blames: 'harness',
  investigations: ['Compare the sections memories and skills of the configuration with what is checked.'],
  find: ({ evidence, broken }) => {
    // A loop that did not end as it should has another trouble first.
    if (!evidence || broken.some(({ category }) => category === 'TerminationReason')) return null;
    const config = readConfig(evidence);
    const red = broken.flatMap((check) => {
      const why = explainByConfig(check, config);
      return why === null ? [] : [{ check, why }];
    });
    const [first] = red;
    if (!first) return null;
    return {
      hypothesis: `The target did what its configuration says, and that is not what the scenario expects: ${first.why}.`,
      evidence: red.slice(0, 4).map(({ check }) => quoteCheck(check)),
      fixes: [fix('Correct the section memories or skills', 0.7, 'ralph.yml', first.why)],
    };
  },
};

/** Fewer tokens than one memory takes. */
const TINY_BUDGET = 50;

function explainByConfig(check: CheckResult, { memories, skills }: ConfigClues): string | null {
  const injects = memories.enabled && memories.inject === 'auto';
  switch (check.kind) {
    case 'memoryInjected':
      if (!memories.enabled) return 'memories.enabled is false';
      if (memories.inject !== 'auto') return `memories.inject is ${memories.inject}`;
      return memories.budget !== null && memories.budget > 0 && memories.budget < TINY_BUDGET
        ? `memories.budget of ${memories.budget} has room for no memory`
        : null;
    case 'keptOutOfPrompt':
      return injects && memories.budget === null && memories.filter === undefined
        ? 'memories.inject is auto, with neither budget nor filter'
        : null;
    case 'memoryBudgetKept':
      return injects && memories.budget === null ? 'memories.budget is not set' : null;
    case 'promptContained':
      return !skills.enabled && wordingOf(check).includes('ralph tools') ? 'skills.enabled is false' : null;
    default:
      return null;
  }
}

const storeDiffers: DiagnosisRule = {
  name: 'store-differs',
  type: 'AssertionMismatch',
  blames: 'target',
  investigations: [
    'Compare .ralph/agent/memories.md with what was stored, and with the section of the prompt.',
    'Was the store there before the run, and did an earlier session write it?',
  ],
  find: (failure) => {
    const { evidence, broken, run } = failure;
    const ended = broken.every(({ category }) => category !== 'TerminationReason');
    // A prompt of a loop that runs on holds more and more.
    const red = broken.filter(({ kind }) => STORE_KINDS.has(kind) && (ended || kind !== 'keptOutOfPrompt'));
    if (!evidence || red.length === 0) return null;
    const lost = confirmedAndLost(evidence);
    if (lost.length === 0 && isAgentsPart(failure, evidence)) return null;
    const confirmed = [...lost, ...confirmedCalls(evidence)];
    return {
      hypothesis: `What the target stores, lists or puts into the prompt differs from what it was given${confirmed.length > 0 ? ', although it confirmed the commands of the agent' : ''}.`,
      evidence: [...red.slice(0, 5).map(quoteCheck), ...confirmed.slice(0, 3)],
      fixes: [
        fix(
          'Correct how memories are stored and injected',
          0.5,
          run.target.kind === 'real' ? 'crates/ralph-core/src/memory_store.rs' : null,
        ),
      ],
    };
  },
};

/** Commands on the store that succeeded, with what was answered. */
function confirmedCalls({ iterations }: Evidence): string[] {
  return iterations.flatMap(({ number, toolCalls }) =>
    toolCalls
      .filter(({ input, isError }) => /ralph tools memory (?:add|delete)/.test(input) && !isError)
      .map(
        ({ input, result }) =>
          `iteration ${number}: ${input.trim().slice(0, 200)}: ${(result ?? '').trim().slice(0, 200)}`,
      ),
  );
}

/**
 * Memories that ralph confirmed and that are not in its store, by the answers that agents kept in files: of a CLI that
 * prints plain text nothing else shows that a command was called. Whoever deletes as well is not believed.
 */
function confirmedAndLost({ files, memories, iterations }: Evidence): string[] {
  const acts = iterations.flatMap(({ said, toolCalls }) => [said, ...toolCalls.map(({ input }) => input)]);
  if (acts.some((act) => /memory (?:delete|prune)|\brm\b|unlink/.test(act))) return [];
  const kept = new Set(memories.map(({ id }) => id));
  return files
    .filter(({ change }) => change === 'added' || change === 'modified')
    .flatMap(({ path, preview }) =>
      [...preview.matchAll(/^Memory stored: (mem-\S+)$/gm)].flatMap(([line, id = '']) =>
        kept.has(id) ? [] : [`${path}: ${line}, and the store has no ${id}`],
      ),
    );
}

/** What the agent was asked to do and did not do, or did otherwise: then it is not the target's part. */
function isAgentsPart({ broken }: Case, { iterations, promptText, files }: Evidence): boolean {
  const calls = iterations.flatMap(({ toolCalls }) => toolCalls.map(({ input }) => input)).join('\n');
  const kinds = new Set(broken.map(({ kind }) => kind));
  const hadStore = files.some(({ path, change }) => path.endsWith('memories.md') && change !== 'added');
  if (kinds.has('memoryStored') && kinds.size === 1 && !calls.includes('memory add') && !hadStore)
    return true;
  if (calls === '' && kinds.has('fileEquals') && ![...kinds].some((kind) => SHOWS_STORE.has(kind)))
    return true;
  return asksInVain(promptText, calls);
}

/** Checks that show that the store itself, or what the agent was sent of it, is wrong. */
const SHOWS_STORE: ReadonlySet<string> = new Set([
  'memoryStored',
  'memoryInjected',
  'memoriesListed',
  'errandAnswered',
]);

/** Whether a command on the store that the prompt spells out was not called, or with another type or content. */
function asksInVain(promptText: string, calls: string): boolean {
  return [...promptText.matchAll(/ralph tools memory (add|delete)\b([^\n]*)/g)].some(
    ([, verb = '', rest = '']) => {
      // Who removed the file itself has done more than was asked for: that shows in the store.
      if (!calls.includes(`memory ${verb}`)) return !/\brm\b|unlink/.test(calls);
      const type = /--type \w+/.exec(rest)?.[0];
      const content = /\$\(cat [^()]{0,200}\)/.exec(rest)?.[0];
      return [type, content].some((part) => part !== undefined && !calls.includes(part));
    },
  );
}

/** The store of the target and its section of the prompt. */
export const memoryRules: readonly DiagnosisRule[] = [configuredOtherwise, storeDiffers];
