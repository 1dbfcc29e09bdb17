import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConversationErrand,
  type ConversationScenario,
  fixturePluginFolder,
  type Lane,
  onPrompt,
  type PluginSource,
  type RuleBuilder,
} from '../../src/authoring.js';

/** Starts a rule for a plugin's command as the model gets it. `{{1}}` is its argument. */
export function onCommand(command: string): RuleBuilder {
  return onPrompt(
    new RegExp(`<command-name>/${command}</command-name>(?:\\s*<command-args>([^<]*)</command-args>)?`),
  );
}

/** Returns the lines that the plugins ask for at the end of an answer. */
export function ending(stage: string, next: string): string {
  return `\n\nSTAGE: ${stage}\nNEXT: /${next}`;
}

/** Commands that agents may run without asking. */
export const ALLOWED = ['Bash(git *)', 'Bash(python3 *)', 'Bash(cat *)', 'Bash(ls *)'] as const;

/** The stages of epti, in order. */
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

/** The `unplayable` field for scenarios with an MCP server, which need the real Claude Code. */
export const HAS_SERVER = {
  sim: 'needs an MCP server, which the stand-in for claude cannot start',
} as const;

/** Why a scenario that takes pictures does not run here. */
export const NO_BROWSER = 'needs a browser: there is no chromium on PATH';

/** The `unplayable` field for scenarios that take pictures. */
export const HAS_BROWSER: ConversationScenario['unplayable'] = hasProgram(
  'chromium',
  'chromium-browser',
  'google-chrome',
)
  ? HAS_SERVER
  : { ...HAS_SERVER, scripted: NO_BROWSER, live: NO_BROWSER };

function hasProgram(...names: readonly string[]): boolean {
  const folders = (process.env.PATH ?? '').split(':');
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}

type PluginName = Parameters<typeof fixturePluginFolder>[0];
type ChangedFiles = NonNullable<Exclude<PluginSource, string>['files']>;

/** The hooks of promptctl for the events that the stand-in plays. */
const PLAYED_HOOKS = JSON.stringify({
  hooks: Object.fromEntries(
    [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'Stop',
      'SessionEnd',
    ].map((event) => [
      event,
      [
        {
          hooks: [{ type: 'command', command: 'node "${CLAUDE_PLUGIN_ROOT}"/hooks/record.mjs', timeout: 10 }],
        },
      ],
    ]),
  ),
});

/** What the stand-in does not play of an example plugin, and refuses by name. */
function withoutUnplayed(name: PluginName): ChangedFiles {
  return { '.mcp.json': null, ...(name === 'promptctl' ? { 'hooks/hooks.json': PLAYED_HOOKS } : {}) };
}

/** Returns an example plugin with some files changed and, in the sim lane, without what the stand-in does not play. */
export function pluginIn(lane: Lane, name: PluginName, files: ChangedFiles = {}): PluginSource {
  const changed = lane === 'sim' ? { ...withoutUnplayed(name), ...files } : files;
  if (Object.keys(changed).length === 0) return fixturePluginFolder(name);
  return { name, from: fixturePluginFolder(name), files: changed };
}

/** Records events and lets everything pass. Its log is evidence that does not depend on what the CLI reports. */
export const RECORDER: PluginSource = {
  name: 'promptctl',
  from: fixturePluginFolder('promptctl'),
  files: {
    // The log needs no server.
    ...withoutUnplayed('promptctl'),
    'server.mjs': null,
    'log-path.mjs': 'export const logPath = process.env.E2E_HOOK_LOG;\n',
  },
};

/** Returns a question that cannot be answered by echoing it. */
export function askReverse(nonce: string): string {
  return `Say the word ${nonce} backwards. Reply with only the result.`;
}

/** Answers the question from `askReverse`. */
export const answersReverse = onPrompt(/Say the word (\w+) backwards/).says('{{reverse 1}}');

/** Writes a file after the project's first commit. */
export function arrives(path: string, text: string): ConversationErrand {
  const write = 'import sys; open(sys.argv[1], "w").write(sys.argv[2])';
  return { run: ['python3', '-c', write, path, text] };
}
