import {
  type AgentScript,
  type ConversationArrangement,
  changingResponses,
  changingSteps,
  type FailureType,
  fixturePluginFolder,
  onlyIn,
  type PluginSource,
  type Saboteur,
  type Step,
  type Verb,
  without,
} from '../../src/authoring.js';

/** A way to break a conversation. */
export type Spoiler<Key extends string = string> = Saboteur<ConversationArrangement, Key>;

/** Sees every event and lets everything pass: its log is a second witness beside what the CLI reports. */
export const RECORDER: PluginSource = {
  name: 'promptctl',
  from: fixturePluginFolder('promptctl'),
  files: {
    // The log needs no server, and the stand-in plays none.
    '.mcp.json': null,
    'server.mjs': null,
    'log-path.mjs': 'export const logPath = process.env.E2E_HOOK_LOG;\n',
  },
};

/** The agent does all its work and says nothing. */
export function wordless<Key extends string>(...kills: readonly Key[]): Spoiler<Key> {
  return ineffective(without('says'), kills);
}

/** In the rules of these names the agent leaves out what the verbs do. */
export function leavesOut<Key extends string>(
  verbs: readonly Verb[],
  rules: readonly string[],
  ...kills: readonly Key[]
): Spoiler<Key> {
  return ineffective(inEach(rules, without(...verbs)), kills);
}

/** In the rule of this name the agent writes, says or runs another text. */
export function puts<Key extends string>(
  text: string,
  { insteadOf, in: rule }: { readonly insteadOf: string; readonly in: string },
  ...kills: readonly Key[]
): Spoiler<Key> {
  const change = changingSteps((step) => [replaceIn(step, insteadOf, text)]);
  return ineffective(onlyIn(rule, change), kills);
}

/** The service of the model fails in the rule of this name. */
export function givesOut<Key extends string>(rule: string, ...kills: readonly Key[]): Spoiler<Key> {
  const change = changingResponses((response) => ({ ...response, failure: { type: 'out-of-credits' } }));
  return { agent: onlyIn(rule, change), kills, failure: 'BackendError' };
}

/** The user says another word than the one that the checks look for. */
export function anotherWord<Key extends string>(...kills: readonly Key[]): Spoiler<Key> {
  return {
    config: (arranged, { nonce }) => ({
      ...arranged,
      turns: arranged.turns.map((turn) =>
        typeof turn === 'string'
          ? turn.replaceAll(nonce, 'otherword1')
          : { ...turn, prompt: turn.prompt.replaceAll(nonce, 'otherword1') },
      ),
    }),
    kills,
    failure: 'PromptIneffective',
  };
}

/** A hook of a plugin does nothing. */
export function withoutHook<Key extends string>(
  name: string,
  file: string,
  ...kills: readonly Key[]
): Spoiler<Key> {
  return arrangedWith(
    ({ plugins = [], ...arranged }) => ({
      ...arranged,
      plugins: plugins.map((plugin) =>
        typeof plugin === 'string' && plugin.endsWith(`/${name}`)
          ? { name, from: plugin, files: { [file]: '// Lets everything pass.\n' } }
          : plugin,
      ),
    }),
    ...kills,
  );
}

/** Something else is arranged. */
export function arrangedWith<Key extends string>(
  change: (arranged: ConversationArrangement) => ConversationArrangement,
  ...kills: readonly Key[]
): Spoiler<Key> {
  return { config: change, kills, failure: 'PromptIneffective' };
}

/** The same saboteur, which a diagnosis should call something else. */
export function failingAs<Key extends string>(failure: FailureType, spoiler: Spoiler<Key>): Spoiler<Key> {
  return { ...spoiler, failure };
}

function ineffective<Key extends string>(
  agent: (script: AgentScript) => AgentScript,
  kills: readonly Key[],
): Spoiler<Key> {
  return { agent, kills, failure: 'PromptIneffective' };
}

function inEach(rules: readonly string[], change: (script: AgentScript) => AgentScript) {
  return (script: AgentScript) => rules.reduce((changed, rule) => onlyIn(rule, change)(changed), script);
}

function replaceIn(step: Step, old: string, text: string): Step {
  switch (step.do) {
    case 'say':
    case 'write':
      return { ...step, text: step.text.replace(old, () => text) };
    case 'edit':
      return { ...step, new: step.new.replace(old, () => text) };
    case 'run':
      return { ...step, command: step.command.replace(old, () => text) };
    default:
      return step;
  }
}
