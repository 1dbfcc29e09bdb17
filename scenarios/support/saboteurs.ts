import {
  type Arrangement,
  onAnyPrompt,
  type Saboteur,
  type ScenarioContext,
  type Verb,
  without,
} from '../../src/authoring.js';

type SpoiltAgent = Extract<Extract<Saboteur, { agent: unknown }>['agent'], (script: never) => unknown>;

/** A change of an agent: it spends its first iteration on looking around, then does everything right. */
export const hesitating: SpoiltAgent = (script) => ({
  ...script,
  rules: [onAnyPrompt().once().says('First I look around.').rule, ...script.rules],
});

/** The agent does all the rest, and leaves this out. */
export const leavingOut = <Key extends string>(
  verb: Verb,
  ...kills: readonly Key[]
): Saboteur<Arrangement, Key> => ({
  agent: without(verb),
  kills,
  failure: 'PromptIneffective',
});

/** The agent does its work and does not declare that it is done; the checks named see it. */
export const neverDeclaring = <Key extends string>(...kills: readonly Key[]): Saboteur<Arrangement, Key> => ({
  agent: without('completes'),
  kills,
  failure: 'UnexpectedTermination',
});

/** ralph does not hear that the work is done. */
export const deafToCompletion = <Key extends string>(
  ...kills: readonly Key[]
): Saboteur<Arrangement, Key> => ({
  target: 'ignore-completion',
  kills,
  failure: 'UnexpectedTermination',
});

/** No limit ends ralph's loop. */
export const neverStopping = <Key extends string>(...kills: readonly Key[]): Saboteur<Arrangement, Key> => ({
  target: 'never-stop',
  kills,
  failure: 'UnexpectedTermination',
});

/** The agent does all its work and never says that it is done. */
export const NEVER_DECLARES: Saboteur<Arrangement, 'ends'> = {
  ...neverDeclaring('ends'),
  why: 'Completion that is only obvious is no completion: the agent must declare it.',
};

/** The seed's RED baseline "no completion promise": the loop runs on to its limit. */
export const COMPLETION_NOT_HEARD: Saboteur<Arrangement, 'ends'> = {
  ...deafToCompletion('ends'),
  why: 'A loop that does not hear its promise runs on until a limit ends it.',
};

/** ralph gets another word than the one that the checks look for. */
export const ANOTHER_WORD: Saboteur<Arrangement, 'told'> = {
  config: (arrangement, { nonce }: ScenarioContext) => ({
    ...arrangement,
    prompt: arrangement.prompt.replaceAll(nonce, 'otherword1'),
  }),
  kills: ['told'],
  failure: 'PromptIneffective',
  why: 'A word from elsewhere would satisfy the checks: it must come from this prompt.',
};

/** A word backwards, as agents are asked to write it. */
export function reverse(word: string): string {
  return [...word].reverse().join('');
}
