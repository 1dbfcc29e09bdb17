import type { Check } from '../../../domain/check.js';
import { aboutWanted, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type {
  ConversationRecord,
  StageChange,
  StageProof,
  Turn,
} from '../../../domain/evidence/conversation.js';
import { assertCommandSuggested } from '../strategies/texts.js';
import { checkConversation } from './check-turn.js';

/** Checks that the conversation reached a stage in the workflow, with proof. */
export function stageReached(
  stage: string,
  {
    turn,
    proof = 'observed',
    trigger,
  }: {
    /** The turn that reached it; any turn if left out. */
    readonly turn?: number;
    /** What must have led to it: a command such as `/agent-loop:plan`, or a pattern. */
    readonly trigger?: Wanted;
    /** The proof that is needed. By default `observed`: a stage that was only commanded or declared does not count. */
    readonly proof?: StageProof;
  } = {},
): Check {
  const when = turn === undefined ? '' : ` in turn ${turn}`;
  const why = trigger === undefined ? '' : ` because of ${show(trigger)}`;
  return checkConversation('stageReached', 'PromptEffectiveness', {
    name: `stage ${stage} is ${proof}${when}${why}`,
    about: { names: [stage], ...(turn === undefined ? {} : { turn }), ...aboutWanted(trigger) },
    judge: ({ stages }) => ({
      passed: stages.some(
        (change) =>
          change.to === stage &&
          change.proofs.includes(proof) &&
          (turn === undefined || change.turn === turn) &&
          (trigger === undefined || isTrigger(change.trigger, trigger)),
      ),
      expected: `stage ${stage} ${proof}${when}${why}`,
      actual: describeStages(stages),
    }),
  });
}

/** Checks that the workflow went through exactly these stages, in this order. */
export function stagesWere(...expected: readonly string[]): Check {
  return checkConversation('stagesWere', 'PromptEffectiveness', {
    name: `the stages are ${expected.join(' → ')}`,
    about: { names: expected },
    judge: ({ stages }) => {
      const [first] = stages;
      const went = first === undefined ? [] : [first.from, ...stages.map(({ to }) => to)];
      return {
        passed: went.join(' ') === expected.join(' '),
        expected: expected.join(' → '),
        actual: went.join(' → ') || 'no stage was reached',
      };
    },
  });
}

/** Checks that every step between stages is one that the workflow allows. Fails if no stage was reached. */
export function noStageSkipped(): Check {
  return checkConversation('noStageSkipped', 'PromptEffectiveness', {
    name: 'no stage is skipped',
    judge: ({ stages }) => ({
      passed: stages.length > 0 && stages.every(({ valid }) => valid),
      expected: 'only steps that the workflow allows',
      actual: describeStages(stages),
    }),
  });
}

/** Checks that the conversation never reached a stage, whatever the proof. */
export function stageNotReached(stage: string): Check {
  return checkConversation('stageNotReached', 'PromptEffectiveness', {
    name: `stage ${stage} is not reached`,
    about: { names: [stage] },
    judge: ({ stages }: ConversationRecord) => ({
      passed: stages.every(({ to }) => to !== stage),
      expected: `no step to ${stage}`,
      actual: describeStages(stages),
    }),
  });
}

/** A literal trigger must be the whole one: `/plan` is not `/planning`. */
function isTrigger(found: string, wanted: Wanted): boolean {
  return typeof wanted === 'string' ? found === wanted : holds(found, wanted);
}

function describeStages(stages: readonly StageChange[]): string {
  return list(
    stages.map(
      ({ turn, from, to, trigger, proofs, valid }) =>
        `turn ${turn}: ${from} → ${to} (${trigger}; ${list(proofs, 'no proof')}${valid ? '' : ', not allowed'})`,
    ),
    'no stage was reached',
  );
}

/** Checks that exactly these commands ran and completed, in this order. Names may leave out the plugin. */
export function commandsWere(...commands: readonly [string, ...string[]]): Check {
  const wanted = commands.map((name) => name.replace(/^\//, ''));
  return checkConversation('commandsWere', 'PromptEffectiveness', {
    name: `the commands are ${wanted.join(' → ')}`,
    about: { names: wanted },
    judge: ({ turns }) => {
      const chain = listCommandChain(turns);
      const done = chain.filter(({ outcome }) => outcome === 'completed');
      return {
        passed:
          done.length === wanted.length &&
          done.every(({ name }, index) => name === wanted[index] || name.endsWith(`:${wanted[index]}`)),
        expected: wanted.join(' → '),
        actual: describeChain(chain),
      };
    },
  });
}

/** Checks that the agent led from command to command: an answer suggested each one before the user sent it. */
export function commandsChained(): Check {
  return checkConversation('commandsChained', 'PromptEffectiveness', {
    name: 'each command was suggested by an answer before it',
    judge: ({ turns }) => {
      const chain = listCommandChain(turns);
      return {
        passed: chain.length > 1 && chain.slice(1).every(({ suggestedIn }) => suggestedIn !== null),
        expected: 'at least two commands, and a suggestion of each but the first',
        actual: describeChain(chain),
      };
    },
  });
}

function describeChain(chain: readonly ChainedCommand[]): string {
  return list(
    chain.map(({ turn, name, outcome, suggestedIn }) => {
      const led = suggestedIn === null ? 'not suggested' : `suggested in turn ${suggestedIn}`;
      return `turn ${turn}: /${name} (${outcome}, ${led})`;
    }),
    'no commands',
  );
}

/** A command of a conversation as a link in a chain. */
interface ChainedCommand {
  readonly turn: number;
  /** The whole name, such as `agent-loop:plan`. */
  readonly name: string;
  readonly args: string;
  readonly outcome: Turn['outcome']['kind'];
  /** The turn whose answer suggested it, since the command before; null for the first one, and if none did. */
  readonly suggestedIn: number | null;
}

/** Lists the commands that the CLI ran, in order, and which answer led to each. */
function listCommandChain(turns: readonly Turn[]): ChainedCommand[] {
  const chain: ChainedCommand[] = [];
  for (const { number, command, outcome } of turns) {
    if (command === null) continue;
    const { turn: previous } = chain.at(-1) ?? { turn: number };
    const suggestedIn = turns
      .filter((turn) => turn.number >= previous && turn.number < number)
      .findLast(({ text }) => suggests(text, command.name))?.number;
    const { name, args } = command;
    chain.push({ turn: number, name, args, outcome: outcome.kind, suggestedIn: suggestedIn ?? null });
  }
  return chain;
}

/** Whether an answer suggests a command, by its whole name or without the name of its plugin. */
function suggests(text: string, name: string): boolean {
  const bare = name.slice(name.indexOf(':') + 1);
  return [name, bare].some((known) => assertCommandSuggested(text, known, { allowVariations: false }).passed);
}
