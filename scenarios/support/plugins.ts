import {
  type ConversationErrand,
  fixturePluginFolder,
  type Lane,
  onPrompt,
  type PluginSource,
  type RuleBuilder,
} from '../../src/authoring.js';

/** A rule for a command of a plugin, as the model gets it; `{{1}}` is what the command was given. */
export function onCommand(command: string): RuleBuilder {
  return onPrompt(
    new RegExp(`<command-name>/${command}</command-name>(?:\\s*<command-args>([^<]*)</command-args>)?`),
  );
}

/** The lines that end an answer: the plugins ask for them. */
export function ending(stage: string, next: string): string {
  return `\n\nSTAGE: ${stage}\nNEXT: /${next}`;
}

/** What agents may run without asking. */
export const ALLOWED = ['Bash(git *)', 'Bash(python3 *)', 'Bash(cat *)', 'Bash(ls *)'] as const;

/** The stages of epti, in their order. */
export const EPTI_STAGES = [
  'idle',
  'writing-tests',
  'verifying-failure',
  'committing-tests',
  'committed-tests',
  'implementing',
  'iterating',
  'committing-code',
  'complete',
] as const;

/** The browser tool of visual-iteration, as Claude Code names it. */
export const SCREENSHOT = 'mcp__plugin_visual-iteration_browser-tools__screenshot';

/** For `unplayable` of scenarios with an MCP server: they need the real Claude Code. */
export const HAS_SERVER = {
  sim: 'needs an MCP server, which the stand-in for claude does not play',
} as const;

type PluginName = Parameters<typeof fixturePluginFolder>[0];
type ChangedFiles = Extract<PluginSource, { files: unknown }>['files'];

/** A plugin of ours with some files changed. In the sim lane it comes without its MCP server. */
export function pluginIn(lane: Lane, name: PluginName, files: ChangedFiles = {}): PluginSource {
  const changed = lane === 'sim' ? { '.mcp.json': null, ...files } : files;
  if (Object.keys(changed).length === 0) return fixturePluginFolder(name);
  return { name, from: fixturePluginFolder(name), files: changed };
}

/** Records every event and lets everything pass: its log is a second witness beside what the CLI reports. */
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

/** A question whose answer shows that the conversation works: an echo of it is no answer. */
export function askReverse(nonce: string): string {
  return `Say the word ${nonce} backwards.`;
}

/** Answers that question. */
export const answersReverse = onPrompt(/Say the word (\w+) backwards/).says('{{reverse 1}}');

/** Writes a file after the commit that a project begins with. */
export function arrives(path: string, text: string): ConversationErrand {
  const write = 'import sys; open(sys.argv[1], "w").write(sys.argv[2])';
  return { run: ['python3', '-c', write, path, text] };
}
