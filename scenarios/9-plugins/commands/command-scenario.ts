import {
  agentLoop,
  type Check,
  type ConversationErrand,
  type ConversationScenario,
  conversation,
  epti,
  type RuleBuilder,
  renderProject,
  type Step,
  stageReached,
  turnSays,
  turnSuggests,
  turnsCompleted,
  visualIteration,
} from '../../../src/authoring.js';
import { type AgentChange, doingFirst, outOfCredits } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { ALLOWED, ending, onCommand, pluginIn, SCREENSHOT } from '../../support/plugins.js';
import { reverse } from '../../support/texts.js';

const WORKFLOWS = { 'agent-loop': agentLoop, epti, 'visual-iteration': visualIteration };

/** The plugin whose commands are tested, and the project they work on. */
export interface CommandSetup {
  readonly plugin: keyof typeof WORKFLOWS;
  readonly project: Parameters<typeof renderProject>[0];
}

/** One command of a plugin. Each scenario sends it once, with a random word in its argument. */
interface CommandCase<Key extends string> {
  /** Its name without the plugin, such as `plan`. */
  readonly command: string;
  /** What it achieves, for the scenario's description. */
  readonly promise: string;
  /** Requirements that only this command covers. */
  readonly covers: readonly string[];
  /** The stage of the workflow that it begins, if there is one. */
  readonly stage?: string;
  /** The command that its answer must suggest. */
  readonly nextCommand: string;
  /** Asks for everything that is checked and that the file of the command does not ask for. */
  readonly argument: (nonce: string) => string;
  /** A sentence that only the file of this command has: the agent works only if it gets it. */
  readonly asks: RegExp;
  /** Adds the agent's work to its rule. `{{2}}` is the random word, `{{3}}` and so on are what `asks` captures. */
  readonly agentDoes: (rule: RuleBuilder) => RuleBuilder;
  /** What the agent says about its work. */
  readonly agentSays: string;
  /** Files in addition to those of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Done before the command is sent. */
  readonly before?: readonly ConversationErrand[];
  /** Done after its answer. */
  readonly after?: readonly ConversationErrand[];
  /** The checks of this command. All commands are also checked for an answer, a suggestion and their stage. */
  readonly expect: (nonce: string) => Readonly<Record<Key, Check>>;
  /** The checks that fail if the text of the command does not reach the agent. */
  readonly withoutText: { readonly kills: readonly NoInfer<Key>[] };
  /** Steps that the command forbids, and the checks that fail if an agent takes these steps first. */
  readonly forbidden: { readonly steps: readonly Step[]; readonly kills: readonly NoInfer<Key>[] };
  /** More ways to break its agent, with the checks that fail then. */
  readonly saboteurs?: Readonly<
    Record<string, { readonly agent: AgentChange; readonly kills: readonly NoInfer<Key>[] }>
  >;
  /** Lanes that cannot run it, with the reason. */
  readonly unplayable?: ConversationScenario['unplayable'];
}

/** Makes a scenario of a command: its text and its argument reach the model, and the promise is kept. */
export function commandScenario<Key extends string>(
  { plugin, project }: CommandSetup,
  about: CommandCase<Key>,
): ConversationScenario {
  const { command, stage, nextCommand, asks } = about;
  const name = `${plugin}:${command}`;
  return conversation<Key | 'ends' | 'says' | 'suggests' | 'commanded'>({
    id: `command-${plugin}-${command}`,
    priority: 'should',
    description: `/${name}: ${about.promise}`,
    covers: ['H5', 'H8', 'H37', 'H48', ...about.covers],
    timeoutSeconds: 120,
    unplayable: about.unplayable ?? {},
    programs: project.language === 'python' ? ['python3'] : [],

    arrange: ({ nonce, lane }) => ({
      files: { ...renderProject(project), ...about.files },
      plugins: [pluginIn(lane, plugin)],
      workflow: WORKFLOWS[plugin],
      allowedTools: [...ALLOWED, SCREENSHOT],
      before: about.before ?? [],
      turns: [
        `/${command} ${about.argument(nonce)} In your answer, also spell ${nonce} backwards: this tests that the argument reaches you.`,
      ],
      after: about.after ?? [],
    }),

    expect: ({ nonce }) => ({
      ends: turnsCompleted(),
      says: turnSays(1, reverse(nonce)),
      suggests: turnSuggests(1, `/${nextCommand}`),
      commanded: stage === undefined ? undefined : stageReached(stage, { turn: 1, proof: 'commanded' }),
      ...about.expect(nonce),
    }),

    agent: [
      about
        .agentDoes(
          onCommand(name)
            .reads(/also spell (\w+) backwards/)
            .reads(asks),
        )
        .says(`For {{reverse 2}}: ${about.agentSays}${ending(stage ?? command, `${plugin}:${nextCommand}`)}`),
      onCommand(name).says('What should I do?'),
    ],

    saboteurs: {
      'its text does not reach the model': {
        config: arranging(({ lane }) => ({
          plugins: [
            pluginIn(lane, plugin, {
              [`commands/${command}.md`]: '---\ndescription: Empty\n---\n$ARGUMENTS\n',
            }),
          ],
        })),
        kills: ['says', 'suggests', ...about.withoutText.kills],
        failure: 'PromptIneffective',
      },
      'the model fails': {
        agent: outOfCredits,
        kills: stage === undefined ? ['ends'] : ['ends', 'commanded'],
        failure: 'BackendError',
      },
      'does what the command forbids': {
        agent: doingFirst(...about.forbidden.steps),
        kills: about.forbidden.kills,
      },
      ...about.saboteurs,
    },
  });
}
