import {
  type Arrangement,
  backendNeverCalled,
  type Check,
  completed,
  errandAnswered,
  fileEquals,
  loop,
  onObjective,
  type RalphScenario,
  type ScenarioContext,
  type ScenarioDefinition,
  scenario,
} from '../../src/authoring.js';
import { arranging } from './arrangement-changes.js';
import { printed } from './inquiries.js';
import { neverCompletes, noBuiltIns } from './saboteurs.js';

/*
 * For scenarios in which the harness itself runs the commands of Ralph. Where there is a loop, its agent only has a small
 * piece of work.
 */

/** Where a scenario runs that tests only what Ralph does: a model, or another backend, would add nothing. */
export const MECHANICS = { lanes: ['sim', 'scripted'], backends: ['claude'] } as const;

/** The prompt for the small piece of work. */
export const smallWork = ({ numbers: [a, b] }: ScenarioContext) =>
  `Work out ${a} + ${b} and write only the sum to sum.txt. Then declare the objective complete.`;

/** Does the small piece of work. */
export const SMALL_WORKER = onObjective(/Work out (\d+) \+ (\d+)/)
  .writes('sum.txt', '{{add 1 2}}\n')
  .completes();

/** Checks that the small piece of work is done and the loop is complete. */
export const workDone = ({ numbers: [a, b] }: ScenarioContext) => ({
  ends: completed(),
  file: fileEquals('sum.txt', `${a + b}`),
});

/** Saboteurs for the checks of `workDone`. */
export const IDLE_WORKERS = {
  'does everything but never completes': neverCompletes('ends'),
} as const;

/** A scenario that only has questions, and checks of its own. */
interface Questions<Key extends string, Own extends string>
  extends Omit<ScenarioDefinition<Key | Own>, 'arrange' | 'expect' | 'agent'> {
  readonly plan: Partial<Arrangement>;
  /** The checks on the answers. */
  readonly answers: Readonly<Record<Key, Check>>;
}

/** A scenario in which the harness asks Ralph, and no agent takes part: Ralph only says what it would run. */
export function questionsOnly<Key extends string>({
  plan,
  answers,
  saboteurs,
  ...about
}: Questions<Key, 'neverCalled'>): RalphScenario {
  return scenario<Key | 'neverCalled'>({
    ...MECHANICS,
    ...about,
    arrange: () => ({ config: loop({ maxIterations: 1 }), prompt: 'Rest.', args: ['--dry-run'], ...plan }),
    expect: () => ({ neverCalled: backendNeverCalled(), ...answers }),
    agent: [],
    saboteurs: {
      'Ralph runs the loop': { config: arranging({ args: [] }), kills: ['neverCalled'] },
      ...saboteurs,
    },
    notApplicable: noBuiltIns('no agent takes part: Ralph only says what it would run'),
  });
}

/** The same around a loop, for what belongs to a loop or comes after it. The agent does the small piece of work. */
export function questionsAroundLoop<Key extends string>({
  plan,
  answers,
  saboteurs,
  ...about
}: Questions<Key, 'ends' | 'file'>): RalphScenario {
  return scenario<Key | 'ends' | 'file'>({
    ...MECHANICS,
    expectedIterations: 1,
    ...about,
    arrange: (context) => ({ config: loop({ maxIterations: 3 }), prompt: smallWork(context), ...plan }),
    expect: (context) => ({ ...workDone(context), ...answers }),
    agent: [SMALL_WORKER],
    saboteurs: { ...IDLE_WORKERS, ...saboteurs },
  });
}

/** Checks that a command printed exactly these lines. */
export function prints(command: string, ...lines: readonly string[]) {
  return errandAnswered(command, printed(...lines));
}
