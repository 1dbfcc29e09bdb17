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
import { doingFirst, outOfCredits } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { ALLOWED, ending, onCommand, pluginIn, SCREENSHOT } from '../../support/plugins.js';
import { reverse } from '../../support/texts.js';

const WORKFLOWS = { 'agent-loop': agentLoop, epti, 'visual-iteration': visualIteration };

/** The plugin whose commands are tried, and the project they are tried on. */
export interface CommandSetup {
  readonly plugin: keyof typeof WORKFLOWS;
  readonly project: Parameters<typeof renderProject>[0];
}

/** One command of a plugin. Each scenario sends it once, with a random word as its argument. */
interface CommandCase<Key extends string> {
  /** Its name without the plugin, such as `plan`. */
  readonly command: string;
  /** What comes of it, for the scenario's description. */
  readonly promise: string;
  /** Requirements that only this command gives evidence for. */
  readonly covers: readonly string[];
  /** The stage of the workflow that it begins, where there is one. */
  readonly stage?: string;
  /** The command that its answer must suggest. */
  readonly nextCommand: string;
  /** A sentence that only the file of this command has: the agent works only if it gets it. */
  readonly asks: RegExp;
  /** Adds the agent's work to its rule. `{{2}}` is the argument, `{{3}}` and so on are what `asks` captures. */
  readonly agentDoes: (rule: RuleBuilder) => RuleBuilder;
  /** What the agent says of its work. */
  readonly agentSays: string;
  /** Files besides those of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** Done before the command is sent. */
  readonly before?: readonly ConversationErrand[];
  /** Done after its answer. */
  readonly after?: readonly ConversationErrand[];
  /** The checks of this command. All commands are also checked for an answer, a suggestion and their stage. */
  readonly expect: (nonce: string) => Readonly<Record<Key, Check>>;
  /** Those of them that turn red when the text of the command does not reach the agent. */
  readonly withoutText: { readonly kills: readonly NoInfer<Key>[] };
  /** Steps that the command forbids, and those of them that turn red when an agent takes these steps first. */
  readonly forbidden: { readonly steps: readonly Step[]; readonly kills: readonly NoInfer<Key>[] };
  /** Lanes that cannot play it, with the reason. */
  readonly unplayable?: ConversationScenario['unplayable'];
}

/** Makes a scenario of a command: its text and its argument reach the model, and it keeps its promise. */
export function commandScenario<Key extends string>(
  { plugin, project }: CommandSetup,
  about: CommandCase<Key>,
): ConversationScenario {
  const { command, stage, nextCommand, asks } = about;
  const name = `${plugin}:${command}`;
  return conversation<Key | 'ends' | 'says' | 'suggests' | 'commanded'>({
    id: `command-${plugin}-${command}`,
    tier: 9,
    priority: 'should',
    phase: 'green',
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
      turns: [`/${command} ${nonce}`],
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
            .reads(/Subject: (\w+)/)
            .reads(asks),
        )
        .says(`For {{reverse 2}}: ${about.agentSays}${ending(stage ?? command, `${plugin}:${nextCommand}`)}`),
      onCommand(name).says('What shall I do?'),
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
      },
      'the model gives out at the end': {
        agent: outOfCredits,
        kills: stage === undefined ? ['ends'] : ['ends', 'commanded'],
        failure: 'BackendError',
      },
      'does what it was told not to do': {
        agent: doingFirst(...about.forbidden.steps),
        kills: about.forbidden.kills,
      },
    },
  });
}
