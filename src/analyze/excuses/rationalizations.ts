import type { Iteration } from '../../domain/evidence/evidence.js';
import type { Execution, Rationalization } from '../../domain/report/analysis.js';
import {
  describeUndone,
  type ExcuseFacts,
  ownLines,
  readFacts,
  relatedTo,
  tellingTopics,
} from './excuse-facts.js';

/** A kind of excuse: how it sounds, what contradicts it in the evidence, and what to do about it. */
interface Excuse {
  readonly name: string;
  readonly sounds: RegExp;
  /** Returns what really happened; null if the evidence does not contradict the agent. */
  readonly reality: (line: string, facts: ExcuseFacts, iteration: Iteration) => string | null;
  readonly action: string;
}

const VERIFYING =
  /\b(?:npm|pnpm|yarn|npx|bun|cargo|go|make|mvn|gradle|just|deno|mix|tox)\b[^\n]{0,100}\b(?:test|t|lint|check|clippy|build|audit|typecheck|verify)\b|\b(?:pytest|vitest|jest|mocha|rspec|phpunit|eslint|biome|tsc)\b/;

/** A file as agents mention it: a path with an extension. */
const FILE = /(?<![\w/.-])((?:[\w.-]+\/)*[\w-]+\.[a-z][a-z0-9]{0,7})(?![\w/-])/i;

/** Searched in this order; each kind is reported once per test. */
export const EXCUSES: readonly Excuse[] = [
  {
    name: 'claims-work-that-is-not-there',
    sounds:
      /\b(?:I(?:'ve| have)?|successfully)\s+(?:just\s+|now\s+|already\s+)?(?:created|wrote|written|updated|added|saved|generated)\b/i,
    reality: (line, { evidence, undone }) => {
      const file = FILE.exec(line)?.[1]?.replace(/^\.\//, '');
      if (file === undefined || undone.length === 0) return null;
      const touched = evidence.files.some(
        ({ path, change }) =>
          (path === file || path.endsWith(`/${file}`)) && (change === 'added' || change === 'modified'),
      );
      return touched ? null : `${file} was neither created nor changed`;
    },
    action: 'Check the file itself, and make the instructions ask for proof: its content, read back.',
  },
  {
    name: 'claims-an-event-that-is-not-there',
    sounds: /\b(?:emitted|published|sent|fired|emitting|publishing)\b/i,
    reality: (line, { evidence, undone, calls }) => {
      const topic = undone.flatMap(tellingTopics).find((name) => line.includes(name));
      if (topic === undefined || evidence.events.some((event) => event.topic === topic)) return null;
      // An agent that called ralph emit has done its part.
      return calls.some(({ input }) => input.includes('emit') && input.includes(topic))
        ? null
        : `The events file has no event ${topic}, and no call of ralph emit was made for it`;
    },
    action: 'Put the exact `ralph emit` command into the instructions: mentioning an event does not emit it.',
  },
  {
    name: 'claims-checks-that-did-not-run',
    sounds:
      /\b(?:tests?|lint|build|typecheck|audit|suite|checks)\b[^.!?]{0,40}?(?:\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?|clean)\b|✅)/i,
    reality: (line, { calls, showsCalls, broken }) => {
      if (/\b(?:not|n't|fail|until|once|if|when|must|should|will)\b/i.test(line) || broken.length === 0)
        return null;
      const runs = calls.filter(({ input }) => VERIFYING.test(input));
      if (runs.length === 0) return showsCalls ? 'No tool call ran any test or check' : null;
      return runs.at(-1)?.isError === true ? 'Its last run failed' : null;
    },
    action: 'Require the output of the command as evidence, not a statement.',
  },
  {
    name: 'claims-implied',
    sounds:
      /\b(?:implied|implicit(?:ly)?|goes without saying|self-evident|is obvious|obviously|assum(?:e|ed|ing)|presumably|should (?:pass|work|be fine))\b/i,
    reality: (_line, { undone, broken, showsCalls, calls }) => {
      const [first] = [...undone, ...broken];
      if (first === undefined) return null;
      const ran = calls.some(({ input }) => VERIFYING.test(input));
      return `${showsCalls && !ran ? 'No command checked it. ' : ''}${describeUndone(first)}`;
    },
    action: 'Require each result to be stated with its evidence: what is not shown does not count.',
  },
  {
    name: 'says-later',
    sounds:
      /\b(?:I(?:'ll| will| can| could| would)|we(?:'ll| will| can)|will|to be)\b[^.!?]{0,100}\b(?:later|afterwards?|eventually|next time|in a follow-?up|at the end|when needed|if needed|if necessary|when necessary|another time)\b/i,
    reality: (line, { undone }) => {
      const missed =
        relatedTo(line, undone) ??
        (/\b(?:it|that|this|these|them|rest)\b/i.test(line) ? undone[0] : undefined);
      return missed ? describeUndone(missed) : null;
    },
    action: 'Ask for the step now, before anything else, and check its result.',
  },
  {
    name: 'declares-without-the-signal',
    sounds:
      /\b(?:(?:all|everything|task|work|it|objective|project|loop|implementation)\s+(?:is|are|has been|have been)\s+(?:now\s+)?(?:done|complete[d]?|finished)|all (?:done|set)|completion is (?:obvious|clear)|I(?:'m| am) (?:done|finished))\b/i,
    reality: (_line, { evidence, broken, promise, calls }) => {
      const wanted = broken.some(
        ({ category, about }) => category === 'TerminationReason' && about?.reason === 'completed',
      );
      const { termination, iterations, events } = evidence;
      if (!wanted || termination?.reason === 'completed') return null;
      const declared =
        iterations.some(({ said }) => said.includes(promise)) ||
        events.some(({ topic }) => topic === promise) ||
        calls.some(({ input }) => input.includes(promise));
      return declared
        ? null
        : `The agent never said ${promise}; the loop ended with ${termination?.reason ?? 'no record of its end'}`;
    },
    action: 'Say that only the completion promise, alone on the last line, ends the loop.',
  },
  {
    name: 'takes-instructions-for-suggestions',
    sounds:
      /\b(?:(?:is|are|as|seems?|just|only|more of)\s+(?:a\s+|merely\s+|just\s+|only\s+)?(?:suggestions?|guidelines?|optional|recommendations?)|not (?:strictly |really )?(?:necessary|needed|required)|unnecessary|no need to|don't need to|can be skipped|skip(?:ping|ped)? (?:the|this|that))\b/i,
    reality: (line, { undone }) => {
      const missed = relatedTo(line, undone) ?? undone[0];
      return missed ? `It was required. ${describeUndone(missed)}` : null;
    },
    action: 'Word it as a requirement (MUST), and say what happens without it.',
  },
  {
    name: 'cuts-the-scope',
    sounds:
      /\b(?:for (?:brevity|simplicity|now)|placeholder|simplified version|left as an exercise|out of scope|good enough|TODO)\b/i,
    reality: (line, { undone }) => {
      const missed = relatedTo(line, undone) ?? undone[0];
      return missed ? describeUndone(missed) : null;
    },
    action: 'List what counts as finished, and say that a part of it does not.',
  },
  {
    name: 'blames-the-environment',
    sounds:
      /\b(?:unable|cannot|can't|couldn't|could not|not able|impossible|prevent(?:s|ed)?|blocked|denied|not (?:available|allowed|permitted)|doesn't allow|does not allow|lack)\b[^.!?]{0,100}\b(?:environment|sandbox|permissions?|network|tools?|access|machine)\b|\b(?:environment|sandbox|permissions?|network|tools?|access|machine)\b[^.!?]{0,100}\b(?:prevent(?:s|ed)?|does(?: not|n't) allow|blocked|denied|not (?:available|allowed|permitted)|unavailable|missing)\b/i,
    reality: (_line, { undone, calls, showsCalls }) => {
      if (undone.length === 0 || !showsCalls || calls.some(({ isError }) => isError)) return null;
      return calls.length === 0
        ? 'It made no tool call: it tried nothing'
        : `None of its ${calls.length} tool calls failed`;
    },
    action: 'Ask for the failing command and its output before you accept a limit of the environment.',
  },
  {
    name: 'acknowledges-without-acting',
    sounds:
      /\b(?:I understand|understood|acknowledged|got it|noted|I see (?:my|the)|(?:as|I am|I'm) the \w+|my role|I will follow|I'll follow|I am ready|I'm ready)\b/i,
    reality: (_line, { undone, showsCalls, evidence }, iteration) => {
      const [missed] = undone;
      const acted = evidence.iterations.some(
        ({ number, toolCalls }) => number >= iteration.number && toolCalls.length > 0,
      );
      if (!missed || !showsCalls || acted) return null;
      return `Understanding is not acting: no tool call followed. ${describeUndone(missed)}`;
    },
    action: 'Check what the agent did, and start the instructions with the first step.',
  },
];

/** The most excuses reported for one test: one of each kind, in the order of the table. */
const MOST_FOR_ONE = 5;
const QUOTE_LIMIT = 300;

/** Finds what agents called done, unnecessary or planned for later, against the evidence. */
export function findRationalizations(failures: readonly Execution[]): Rationalization[] {
  return failures.flatMap((execution) => {
    const facts = readFacts(execution);
    if (!facts) return [];
    return EXCUSES.flatMap((excuse) => findExcuse(excuse, facts)).slice(0, MOST_FOR_ONE);
  });
}

function findExcuse({ name, sounds, reality, action }: Excuse, facts: ExcuseFacts): Rationalization[] {
  for (const iteration of facts.evidence.iterations) {
    for (const line of ownLines(iteration)) {
      const found = sounds.test(line) ? reality(line, facts, iteration) : null;
      if (found === null) continue;
      const { scenarioId, backend } = facts.execution;
      return [
        {
          scenario_id: scenarioId,
          backend,
          pattern: name,
          iteration: iteration.number,
          quote: line.length <= QUOTE_LIMIT ? line : `${line.slice(0, QUOTE_LIMIT - 1)}…`,
          reality: found,
          action,
        },
      ];
    }
  }
  return [];
}
