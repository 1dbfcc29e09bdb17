import { join } from 'node:path';
import { textBetween } from '../../domain/common/between.js';
import type { ToolRecipes } from '../../domain/tool-recipe.js';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { homeOf, REFUSED_KEY, SCRIPTED_KEY } from '../environment.js';
import { canBePatched, editPatch, writePatch } from '../patch-text.js';

const REFUSED_MODEL = 'anthropic/claude-sonnet-4-5';

/** For a model named `gpt-*` OpenCode offers this instead of its write and edit tools. */
const PATCH_TOOLS: ToolRecipes = {
  write: {
    tool: 'apply_patch',
    parameters: ['patchText'],
    input: ({ path, content }) => ({ patchText: writePatch(path, content) }),
    refuses: ({ content }) =>
      canBePatched(content) ? null : 'a patch always ends a file with exactly one line feed',
  },
  edit: {
    tool: 'apply_patch',
    parameters: ['patchText'],
    input: ({ path, old, new: text }) => ({ patchText: editPatch(path, old, text) }),
  },
};

/** OpenCode. */
export const opencode = defineBackend('opencode', {
  probe: {
    args: ['auth', 'list'],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    parse: parseAuthList,
  },
  credentialVariables: [
    'OPENCODE_API_KEY',
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'OPENROUTER_API_KEY',
  ],
  accountVariables: ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_AUTH_CONTENT'],
  loginFiles: ['.local/share/opencode/auth.json'],
  installHint: 'npm install -g opencode-ai',
  loginHint: 'opencode auth login',
  inheritedFiles: (env) => {
    const home = homeOf(env);
    const config = join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode');
    return [
      ...['opencode.json', 'opencode.jsonc', 'config.json', 'AGENTS.md'].map((name) => join(config, name)),
      ...[
        'agent',
        'agents',
        'command',
        'commands',
        'plugin',
        'plugins',
        'skill',
        'skills',
        'tool',
        'tools',
      ].map((name) => join(config, name)),
      join(home, '.opencode'),
      // OpenCode reads Claude Code's instructions and skills too.
      join(home, '.claude', 'CLAUDE.md'),
      join(home, '.claude', 'skills'),
      join(home, '.agents', 'skills'),
    ];
  },
  privateHome: (home) => ({
    HOME: home,
    XDG_CACHE_HOME: undefined,
    XDG_CONFIG_HOME: undefined,
    XDG_DATA_HOME: undefined,
    XDG_STATE_HOME: undefined,
    OPENCODE_AUTH_CONTENT: undefined,
    OPENCODE_CONFIG: undefined,
    OPENCODE_CONFIG_CONTENT: undefined,
    OPENCODE_CONFIG_DIR: undefined,
  }),
  refusedCredentials: {
    // Without a provider it would choose a free hosted model, which does not reject it.
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      model: REFUSED_MODEL,
      small_model: REFUSED_MODEL,
      enabled_providers: ['anthropic'],
      provider: { anthropic: { options: { apiKey: REFUSED_KEY } } },
    }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  },
  // OpenCode expects provider/model.
  modelArgs: (model) => ['--model', model],
  tools: {
    write: {
      tool: 'write',
      parameters: ['filePath', 'content'],
      input: ({ path, content }) => ({ filePath: path, content }),
    },
    edit: {
      tool: 'edit',
      parameters: ['filePath', 'oldString', 'newString'],
      input: ({ path, old, new: text }) => ({ filePath: path, oldString: old, newString: text }),
    },
    read: {
      tool: 'read',
      parameters: ['filePath'],
      input: ({ path }) => ({ filePath: path }),
      // `1: first line` between tags, and a note about the end of the file.
      plainText: (result) =>
        (
          textBetween(result, '<content>\n', '</content>')
            ?.replace(/\n\([^\n]*\)\n$/, '')
            .replace(/(?<!\n)\n+$/, '') ?? result
        ).replace(/^\d+: /gm, ''),
    },
    run: {
      tool: 'bash',
      parameters: ['command', 'workdir'],
      input: ({ command }) => ({ command, description: 'Runs a command' }),
    },
  },
  otherTools: PATCH_TOOLS,
  scripted: {
    possible: true,
    environment: (url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify(scriptedConfig(url)),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      // It always looks for a plugin package in the registry, whatever its settings say; our server has none.
      NPM_CONFIG_REGISTRY: `${url}/npm/`,
    }),
    files: () => ({}),
  },
  standIn: async () => (await import('./stand-in/stand-in.js')).opencodeStandIn,
});

/** Permissions keep their defaults, so that scenarios find what OpenCode refuses. */
function scriptedConfig(url: string): object {
  const model = 'scripted/scripted-model';
  return {
    model,
    small_model: model,
    // Without this it would choose a free hosted model if it finds no other.
    enabled_providers: ['scripted'],
    autoupdate: false,
    share: 'disabled',
    lsp: false,
    formatter: false,
    snapshot: false,
    agent: { title: { disable: true }, summary: { disable: true } },
    provider: {
      scripted: {
        // Part of the program: nothing is downloaded.
        npm: '@ai-sdk/openai-compatible',
        name: 'ralph-e2e',
        options: { baseURL: `${url}/v1`, apiKey: SCRIPTED_KEY },
        models: {
          'scripted-model': {
            name: 'Scripted model',
            limit: { context: 200_000, output: 8192 },
            tool_call: true,
          },
        },
      },
    },
  };
}

/** `opencode auth list` always exits with 0; the counts at the end of its two lists are the answer. */
function parseAuthList({ exitCode, stdout, stderr }: ProbeOutput): ProbeAnswer | null {
  // The lists were on stdout; read stderr too, in case a version prints them there.
  const text = `${stdout}\n${stderr}`;
  const credentials = /(?<!\d)(\d+) credentials?\b/.exec(text);
  if (exitCode !== 0 || credentials === null) return null;
  const variables = /(?<!\d)(\d+) environment variables?\b/.exec(text);
  const total = Number(credentials[1]) + Number(variables?.[1] ?? 0);
  const detail = [credentials[0], ...(variables === null ? [] : [variables[0]])].join(', ');
  return { authenticated: total > 0, detail };
}
