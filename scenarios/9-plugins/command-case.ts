import {
  agentLoop,
  type Check,
  type ConversationErrand,
  type ConversationScenario,
  changingResponses,
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
} from '../../src/authoring.js';
import { ALLOWED, ending, onCommand } from '../8-conversations/parts.js';
import { SCREENSHOT } from '../8-conversations/visual/parts.js';
import { doingFirst, pluginIn, reverse } from './parts.js';

const WORKFLOWS = { 'agent-loop': agentLoop, epti, 'visual-iteration': visualIteration };

/** A command of a plugin: what only it asks for, and what an agent that follows it does and leaves. */
export interface CommandCase<Key extends string> {
  readonly command: string;
  readonly promise: string;
  readonly covers: readonly string[];
  /** The stage that it commands, where the workflow has one for it, and the command that comes next. */
  readonly stage?: string;
  readonly next: string;
  /** A sentence of its file and of no other; what it captures is `{{3}}` and so on. */
  readonly body: RegExp;
  /** Follows the sentence; `{{2}}` is what the command was given. */
  readonly does: (rule: RuleBuilder) => RuleBuilder;
  readonly says: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly before?: readonly ConversationErrand[];
  readonly after?: readonly ConversationErrand[];
  /** What the command promises, besides an answer. */
  readonly expect: (nonce: string) => Readonly<Record<Key, Check>>;
  /** Those of them that an agent breaks which was not told what to do. */
  readonly untold: readonly NoInfer<Key>[];
  /** What the command forbids, and the checks that notice. */
  readonly oversteps: { readonly steps: readonly Step[]; readonly kills: readonly NoInfer<Key>[] };
  readonly unplayable?: ConversationScenario['unplayable'];
}

/** What the commands of a plugin are tried on. */
export interface CommandPack {
  readonly plugin: keyof typeof WORKFLOWS;
  readonly project: Parameters<typeof renderProject>[0];
}

/** A command is expanded, its text and what it was given reach the model, and what it promises comes of it. */
export function commandScenario<Key extends string>(
  pack: CommandPack,
  about: CommandCase<Key>,
): ConversationScenario {
  const { plugin } = pack;
  const { command, stage, next } = about;
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
    programs: pack.project.language === 'python' ? ['python3'] : [],

    arrange: ({ nonce, lane }) => ({
      files: { ...renderProject(pack.project), ...about.files },
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
      suggests: turnSuggests(1, `/${next}`),
      commanded: stage === undefined ? undefined : stageReached(stage, { turn: 1, proof: 'commanded' }),
      ...about.expect(nonce),
    }),

    agent: [
      about
        .does(
          onCommand(name)
            .reads(/Subject: (\w+)/)
            .reads(about.body),
        )
        .says(`For {{reverse 2}}: ${about.says}${ending(stage ?? command, `${plugin}:${next}`)}`),
      onCommand(name).says('What shall I do?'),
    ],

    saboteurs: {
      'its text does not reach the model': {
        config: (arranged, { lane }) => ({
          ...arranged,
          plugins: [
            pluginIn(lane, plugin, {
              [`commands/${command}.md`]: '---\ndescription: Empty\n---\n$ARGUMENTS\n',
            }),
          ],
        }),
        kills: ['says', 'suggests', ...about.untold],
        failure: 'PromptIneffective',
      },
      'the model gives out at the end': {
        agent: changingResponses((response) => ({ ...response, failure: { type: 'out-of-credits' } })),
        kills: stage === undefined ? ['ends'] : ['ends', 'commanded'],
        failure: 'BackendError',
      },
      'does what it was told not to do': {
        agent: doingFirst(...about.oversteps.steps),
        kills: about.oversteps.kills,
        failure: 'PromptIneffective',
      },
    },
  });
}
