import { onAnyPrompt, type Saboteur, type ScenarioContext, without } from '../src/authoring.js';

type SpoiltAgent = Extract<Extract<Saboteur, { agent: unknown }>['agent'], (script: never) => unknown>;

/** A change of an agent: it spends its first iteration on looking around, then does everything right. */
export const hesitating: SpoiltAgent = (script) => ({
  ...script,
  rules: [onAnyPrompt().once().says('First I look around.').rule, ...script.rules],
});

/** The agent does all its work and never says that it is done. */
export const NEVER_DECLARES: Saboteur = {
  agent: without('completes'),
  kills: ['completed'],
  failure: 'UnexpectedTermination',
  why: 'Completion that is only obvious is no completion: the agent must declare it.',
};

/** The seed's RED baseline "no completion promise": the loop runs on to its limit. */
export const COMPLETION_NOT_HEARD: Saboteur = {
  target: 'ignore-completion',
  kills: ['completed'],
  failure: 'UnexpectedTermination',
  why: 'A loop that does not hear its promise runs on until a limit ends it.',
};

/** ralph gets another word than the one that the checks look for. */
export const ANOTHER_WORD: Saboteur = {
  config: (arrangement, { nonce }: ScenarioContext) => ({
    ...arrangement,
    prompt: arrangement.prompt.replaceAll(nonce, 'otherword1'),
  }),
  kills: ['promptContained'],
  failure: 'PromptIneffective',
  why: 'A word from elsewhere would satisfy the checks: it must come from this prompt.',
};

/** A word backwards, as agents are asked to write it. */
export function reverse(word: string): string {
  return [...word].reverse().join('');
}
