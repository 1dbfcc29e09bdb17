import { join } from 'node:path';
import type { Backend, ProbeAnswer, ProbeOutput } from './backend.js';
import { homeOf, REFUSED_KEY } from './environment.js';

const REFUSED_MODEL = 'anthropic/claude-sonnet-4-5';

/** OpenCode. */
export const opencode: Backend = {
  id: 'opencode',
  title: 'OpenCode',
  command: 'opencode',
  ralphBackend: 'opencode',
  versionArgs: ['--version'],
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
    // Without a provider it would choose a free hosted model and not be refused at all.
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      model: REFUSED_MODEL,
      small_model: REFUSED_MODEL,
      enabled_providers: ['anthropic'],
      provider: { anthropic: { options: { apiKey: REFUSED_KEY } } },
    }),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
  },
  // OpenCode wants provider/model.
  modelArgs: (model) => ['--model', model],
};

/** `opencode auth list` always exits 0; the counts at the end of its two lists are the answer. */
function parseAuthList({ exitCode, stdout, stderr }: ProbeOutput): ProbeAnswer | null {
  // The lists were seen on stdout; a prompt library that draws them on stderr must not log anybody out.
  const text = `${stdout}\n${stderr}`;
  const credentials = /(\d+) credentials?\b/.exec(text);
  if (exitCode !== 0 || credentials === null) return null;
  const variables = /(\d+) environment variables?\b/.exec(text);
  const total = Number(credentials[1]) + Number(variables?.[1] ?? 0);
  const detail = [credentials[0], ...(variables === null ? [] : [variables[0]])].join(', ');
  return { authenticated: total > 0, detail };
}
