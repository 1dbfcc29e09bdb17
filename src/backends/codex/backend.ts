import { join, normalize } from 'node:path';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { homeOf, REFUSED_KEY, SCRIPTED_KEY } from '../environment.js';
import { editPatch } from '../patch-text.js';

/** OpenAI's Codex CLI. */
export const codex = defineBackend('codex', {
  probe: { args: ['login', 'status'], env: {}, parse: parseLoginStatus },
  // With only OPENAI_API_KEY, `codex exec` sends no key at all.
  credentialVariables: ['CODEX_API_KEY'],
  accountVariables: ['CODEX_HOME'],
  loginFiles: ['.codex/auth.json'],
  installHint: 'npm install -g @openai/codex',
  loginHint: 'codex login',
  inheritedFiles: (env) => {
    const config = env.CODEX_HOME ?? join(homeOf(env), '.codex');
    return [
      ...['config.toml', 'AGENTS.md', 'AGENTS.override.md', 'skills', 'rules', 'hooks.json'].map((name) =>
        join(config, name),
      ),
      join(homeOf(env), '.agents', 'skills'),
    ];
  },
  privateHome: (home) => ({ HOME: home, CODEX_HOME: undefined }),
  refusedCredentials: { CODEX_API_KEY: REFUSED_KEY },
  modelArgs: (model) => ['--model', model],
  // With an unknown model, codex does everything through a shell.
  tools: {
    read: {
      tool: 'exec_command',
      parameters: ['cmd', 'max_output_tokens'],
      input: ({ path }) => ({ cmd: `cat ${quotePath(path)}`, max_output_tokens: 100_000 }),
      // Lines about the command precede its output.
      plainText: (result) => result.replace(/^Chunk ID: [\s\S]*?\nOutput:\n/, ''),
    },
    edit: {
      tool: 'exec_command',
      parameters: ['cmd'],
      // codex intercepts this command; there is no such program.
      input: ({ path, old, new: text }) => ({
        cmd: `apply_patch <<'END_OF_PATCH'\n${editPatch(path, old, text)}\nEND_OF_PATCH`,
      }),
    },
    run: { tool: 'exec_command', parameters: ['cmd'], input: ({ command }) => ({ cmd: command }) },
  },
  scripted: {
    possible: true,
    environment: () => ({ CODEX_API_KEY: SCRIPTED_KEY }),
    files: (url) => ({ '.codex/config.toml': scriptedConfig(url) }),
  },
  standIn: async () => (await import('./stand-in/stand-in.js')).codexStandIn,
});

/** With an unknown model name codex offers plain tools; for its own models it has others. */
function scriptedConfig(url: string): string {
  return `model = "scripted-model"
model_provider = "scripted"
check_for_update_on_startup = false
web_search = "disabled"

[analytics]
enabled = false

[feedback]
enabled = false

# Otherwise it looks for plugins at three hosts.
[features]
plugins = false
remote_plugin = false
apps = false

[model_providers.scripted]
name = "ralph-e2e"
base_url = "${url}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`;
}

/** `codex login status` answers with its exit code and on stderr; it ignores keys in the environment. */
function parseLoginStatus({ exitCode, stdout, stderr }: ProbeOutput): ProbeAnswer | null {
  const text = `${stderr}\n${stdout}`;
  if (exitCode === 1 && /Not logged in/.test(text)) return { authenticated: false, detail: 'not logged in' };
  if (exitCode !== 0) return null;
  // The line ends with part of the key, so do not quote it.
  const how = /API key/i.test(text) ? ' with an API key' : /ChatGPT/.test(text) ? ' with ChatGPT' : '';
  return { authenticated: true, detail: `logged in${how}` };
}

/** Quotes a path so that `cat` takes it neither as an option nor as standard input. */
function quotePath(path: string): string {
  const plain = normalize(path);
  return `'${(plain.startsWith('-') ? `./${plain}` : plain).replaceAll("'", `'\\''`)}'`;
}
