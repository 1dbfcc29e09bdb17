import type { CheckCategory } from '../../../domain/check.js';
import { toLine } from '../../../domain/checks/text.js';
import type { HeldPromise } from '../../../domain/contract.js';
import { type Case, confirmedEmits, emittedTopics, quoteCheck } from '../../../domain/diagnosis/clues.js';
import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { promiseOf, viewRun } from '../../../domain/evidence/run-view.js';
import type { FailureType } from '../../../domain/report/analysis.js';

/** Something that the evidence shows by itself, with the general promise that it breaks. */
interface Fact {
  readonly name: string;
  readonly type: FailureType;
  readonly promise: HeldPromise;
  /** Other areas where the cause may be. */
  readonly areas?: readonly string[];
  /** Whether it explains what a single prompt or agent lacks, whatever the test is about. */
  readonly isGeneral?: boolean;
  /** The category of a check that fails where the fact matters; otherwise the test may have wanted it so. */
  readonly shownBy?: CheckCategory;
  /** What is wrong, in one sentence; null if nothing is. */
  readonly look: (evidence: Evidence) => string | null;
}

export const FACTS: readonly Fact[] = [
  {
    name: 'no-termination-record',
    type: 'UnexpectedTermination',
    promise: {
      area: 'history',
      promise:
        'The events file ends with loop.terminate: the last iteration, the reason, the iterations and the exit code.',
      source:
        'ralph-cli/src/loop_runner.rs: log_terminate_event; ralph-core/src/event_loop/mod.rs: publish_terminate_event, as_str',
    },
    look: ({ exit, termination, iterations }) =>
      exit.kind === 'exited' && termination === null && iterations.length > 0
        ? `Ralph exited with ${exit.code} after ${iterations.length} iterations and left no loop.terminate in its events file, so nothing shows why its loops ended.`
        : null,
  },
  {
    name: 'no-prompts-recorded',
    type: 'AssertionMismatch',
    promise: {
      area: 'diagnostics',
      promise: 'prompt-log.md has the exact prompt of each iteration under its number and hat.',
      source: 'ralph-cli/src/loop_runner.rs: run_loop_impl; ralph-core/src/diagnostics/mod.rs: log_prompt',
    },
    look: ({ iterations }) =>
      iterations.length > 0 && iterations.every(({ prompt }) => prompt === null)
        ? 'Ralph runs with RALPH_DIAGNOSTICS=1 and writes no prompts to .ralph/diagnostics, so nothing shows what the agents were sent.'
        : null,
  },
  {
    name: 'prompt-lacks-objective',
    isGeneral: true,
    type: 'PromptIneffective',
    promise: {
      area: 'prompt',
      promise: 'Every prompt has the objective word for word, with a hat and without, in every iteration.',
      source:
        'ralph-core/src/hatless_ralph.rs: objective_section, build_prompt; ralph-core/src/event_loop/mod.rs: initialize_with_topic',
    },
    look: ({ iterations: [first], promptText, errands }) => {
      const sent = first?.prompt ?? null;
      // The prompts of a run that the test starts by a command are recorded, too.
      const others = errands.flatMap(({ command }) => command.filter((_, at) => command[at - 1] === '-p'));
      const given = [promptText, ...others.map((text) => `> ${text}`)];
      const isThere = sent === null || given.some((text) => toLine(sent).includes(toLine(text)));
      return isThere ? null : 'The first prompt lacks what Ralph was given to do.';
    },
  },
  {
    name: 'prompt-lacks-hat',
    isGeneral: true,
    type: 'PromptIneffective',
    promise: {
      area: 'hats',
      promise: 'The prompt has the instructions of the active hat, and those of no other hat.',
      source:
        'ralph-core/src/hatless_ralph.rs: hats_section, HatlessRalph::new; ralph-core/src/event_loop/mod.rs: determine_active_hats',
    },
    look: (evidence) => {
      const [bare] = hatsWithoutInstructions(evidence);
      return bare === undefined
        ? null
        : `No prompt of hat ${bare} has the instructions that the configuration gives it.`;
    },
  },
  {
    name: 'event-confirmed-and-lost',
    type: 'EventMissing',
    promise: {
      area: 'emit',
      promise: 'In a run, and after it, an event goes to the events file of that run, from any folder below.',
      source: 'ralph-cli/src/main.rs: emit_command_with_root, discover_workspace_root',
    },
    look: (evidence) => {
      const recorded = emittedTopics(evidence);
      const gone = confirmedEmits(evidence).find(({ topic }) => !recorded.includes(topic));
      return gone === undefined
        ? null
        : `In iteration ${gone.iteration} the agent called ralph emit ${gone.topic}, Ralph confirmed it, and the events file does not have it.`;
    },
  },
  {
    name: 'promise-not-taken',
    shownBy: 'TerminationReason',
    areas: ['adapters'],
    type: 'UnexpectedTermination',
    promise: {
      area: 'completion',
      promise: 'A loop completes when the promise stands alone on the last non-empty line of the output.',
      source:
        'ralph-core/src/event_parser.rs: contains_promise, strip_event_tags; ralph-cli/src/loop_runner.rs: run_loop_impl; ralph-core/src/event_loop/mod.rs: check_completion_event',
    },
    look: (evidence) => {
      const { iterations, termination } = evidence;
      const promise = promiseOf(evidence);
      const declared = iterations.find(({ said }) => said.trimEnd().endsWith(promise));
      const last = iterations.at(-1);
      return termination?.reason === 'completed' || declared === undefined || declared === last
        ? null
        : `The agent ended its answer in iteration ${declared.number} with ${promise}, and the loop went on. Ralph does not read the output of the backend right, does not recognize the promise in it, or holds the completion back.`;
    },
  },
];

/** Hats that had turns and in none of them the instructions that the configuration gives them. */
function hatsWithoutInstructions(evidence: Evidence): string[] {
  return (viewRun(evidence)?.hats ?? []).flatMap(({ id, instructions }) => {
    const turns = evidence.iterations.filter(({ hat, prompt }) => hat === id && prompt !== null);
    const told = turns.some(({ prompt }) => toLine(prompt ?? '').includes(toLine(instructions)));
    return turns.length === 0 || told ? [] : [id];
  });
}

/** What shows in failures of many areas if one part of Ralph that all of them need is broken. */
export const factRules: readonly DiagnosisRule[] = FACTS.map((fact) => toRule(fact, () => true));

/** Makes rules of the facts that explain what a single prompt or agent lacks, for the failures in which they may be the cause. */
export function generalRules(applies: (failure: Case) => boolean): readonly DiagnosisRule[] {
  return FACTS.filter(({ isGeneral }) => isGeneral).map((fact) => toRule(fact, applies));
}

function toRule(
  { name, type, promise, areas = [], shownBy, look }: Fact,
  applies: (failure: Case) => boolean,
): DiagnosisRule {
  return {
    name,
    type,
    blames: 'target',
    find: (failure) => {
      const { evidence, provoked, broken } = failure;
      const isShown = shownBy === undefined || broken.some(({ category }) => category === shownBy);
      const text = evidence === null || provoked || !isShown || !applies(failure) ? null : look(evidence);
      return text === null
        ? null
        : {
            hypothesis: text,
            areas: [promise.area, ...areas],
            promises: [promise],
            evidence: broken.slice(0, 4).map(quoteCheck),
            investigations: [`Read this place in Ralph's source: ${promise.source}`],
          };
    },
  };
}
