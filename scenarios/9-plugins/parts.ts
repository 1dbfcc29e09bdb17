import {
  type AgentScript,
  type BuiltInSaboteur,
  type ConversationArrangement,
  type ConversationErrand,
  changingSteps,
  fixturePluginFolder,
  type Lane,
  onPrompt,
  type PluginSource,
  type Saboteur,
  type Step,
} from '../../src/authoring.js';

export type PluginSaboteur<Key extends string = string> = Saboteur<ConversationArrangement, Key>;
type PluginName = Parameters<typeof fixturePluginFolder>[0];
type ChangedFiles = Extract<PluginSource, { files: unknown }>['files'];

/** What installs plugins is kept away from the settings of the user. */
export const REAL_MARKETPLACE = {
  lanes: ['scripted', 'sim'],
  unplayable: { sim: 'the stand-in for claude plays no marketplaces' },
  programs: ['python3'],
} as const;

/** A plugin of ours, some of its files changed. In the sim lane it comes without its MCP server. */
export function pluginIn(lane: Lane, name: PluginName, files: ChangedFiles = {}): PluginSource {
  const changed = lane === 'sim' ? { '.mcp.json': null, ...files } : files;
  if (Object.keys(changed).length === 0) return fixturePluginFolder(name);
  return { name, from: fixturePluginFolder(name), files: changed };
}

export function reverse(text: string): string {
  return [...text].reverse().join('');
}

/** A question whose answer shows that the conversation works: an echo of it is no answer. */
export function askReverse(nonce: string): string {
  return `Say the word ${nonce} backwards.`;
}

/** Answers that question. */
export const answersReverse = onPrompt(/Say the word (\w+) backwards/).says('{{reverse 1}}');

/** The agent says the word as it is. */
export const repeatsTheWord: PluginSaboteur<'says'> = {
  agent: changingSteps((step) =>
    step.do === 'say' ? [{ ...step, text: step.text.replace('{{reverse 1}}', '{{1}}') }] : [step],
  ),
  kills: ['says'],
  failure: 'PromptIneffective',
};

/** A change of the agent: it does all this first. */
export function doingFirst(...extra: readonly Step[]): (script: AgentScript) => AgentScript {
  return (script) => ({
    ...script,
    rules: script.rules.map((rule) => ({
      ...rule,
      respond: { ...rule.respond, steps: [...extra, ...rule.respond.steps] },
    })),
  });
}

/** A file that turns up, or changes, after the commit that a project begins with. */
export function arrives(path: string, text: string): ConversationErrand {
  const write = 'import sys; open(sys.argv[1], "w").write(sys.argv[2])';
  return { run: ['python3', '-c', write, path, text] };
}

/** Where the agent has no part: each built-in saboteur with that reason. */
export function withoutAgent(reason: string): Record<BuiltInSaboteur, string> {
  return {
    'does-nothing': reason,
    parrot: reason,
    'claims-success': reason,
    'acts-silently': reason,
    'wrong-place': reason,
    'after-the-deadline': reason,
    leftovers: reason,
  };
}
