import { join } from 'node:path';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { homeOf, REFUSED_KEY, SCRIPTED_KEY } from '../environment.js';

/** Google's Gemini CLI. */
export const gemini = defineBackend('gemini', {
  // Gemini has no command for this. Listing extensions checks for a login, and exits before it contacts a service.
  probe: { args: ['--list-extensions'], env: {}, parse: parseListExtensions },
  credentialVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  accountVariables: [
    ...['GEMINI_CLI_HOME', 'GEMINI_MODEL', 'GEMINI_CLI_TRUST_WORKSPACE', 'GOOGLE_GEMINI_BASE_URL'],
    ...['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ...['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
  ],
  loginFiles: ['.gemini/oauth_creds.json'],
  installHint: 'npm install -g @google/gemini-cli',
  loginHint: 'start gemini once and choose how to log in',
  inheritedFiles: (env) => {
    const config = join(env.GEMINI_CLI_HOME ?? homeOf(env), '.gemini');
    return [
      ...['settings.json', 'GEMINI.md', '.env', 'commands', 'extensions', 'skills', 'agents', 'policies'].map(
        (name) => join(config, name),
      ),
      join(homeOf(env), '.agents', 'skills'),
      '/etc/gemini-cli/settings.json',
    ];
  },
  privateHome: (home) => ({
    HOME: home,
    GEMINI_CLI_HOME: undefined,
    GEMINI_MODEL: undefined,
    GOOGLE_GEMINI_BASE_URL: undefined,
    GOOGLE_GENAI_USE_VERTEXAI: undefined,
    GOOGLE_GENAI_USE_GCA: undefined,
    GOOGLE_APPLICATION_CREDENTIALS: undefined,
    GOOGLE_CLOUD_PROJECT: undefined,
    GOOGLE_CLOUD_LOCATION: undefined,
  }),
  // Ralph does not pass --skip-trust, and in an untrusted folder Gemini exits with code 55.
  sandbox: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  obstacle: (env) =>
    env.GEMINI_CLI_TRUST_WORKSPACE === 'true'
      ? null
      : 'Gemini exits with code 55 in untrusted folders, and Ralph does not pass --skip-trust: trust the project in gemini, or set GEMINI_CLI_TRUST_WORKSPACE=true',
  refusedCredentials: { GEMINI_API_KEY: REFUSED_KEY, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  modelArgs: (model) => ['--model', model],
  tools: {
    write: {
      tool: 'write_file',
      parameters: ['file_path', 'content'],
      input: ({ path, content }) => ({ file_path: path, content }),
    },
    edit: {
      tool: 'replace',
      parameters: ['file_path', 'old_string', 'new_string'],
      input: ({ path, old, new: text }) => ({
        file_path: path,
        old_string: old,
        new_string: text,
        instruction: 'Replace the text.',
      }),
    },
    read: { tool: 'read_file', parameters: ['file_path'], input: ({ path }) => ({ file_path: path }) },
    run: {
      tool: 'run_shell_command',
      parameters: ['command'],
      input: ({ command }) => ({ command }),
      // Gemini blocks them even with --yolo, and then reports to its user that the tool succeeded.
      refuses: ({ command }) =>
        /\$\(|`|<\(/.test(command.replace(/'[^']*'/g, ''))
          ? 'Gemini blocks $(), backticks and <() in shell commands'
          : null,
    },
  },
  scripted: {
    possible: true,
    environment: (url) => ({
      GEMINI_API_KEY: SCRIPTED_KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      // By default Gemini first asks a model which model to use.
      GEMINI_MODEL: 'gemini-2.5-flash',
    }),
    files: () => ({ '.gemini/settings.json': JSON.stringify(SCRIPTED_SETTINGS, null, 2) }),
  },
  standIn: async () => (await import('./stand-in/stand-in.js')).geminiStandIn,
});

const SCRIPTED_SETTINGS = {
  // With our base URL Gemini would choose a login method that it refuses without a screen.
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  // By default Gemini tries ten times, which takes minutes.
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 1 },
};

/** Exit 41 means that no login method is configured. Gemini only checks that a key is set. */
function parseListExtensions({ exitCode }: ProbeOutput): ProbeAnswer | null {
  if (exitCode === 41) return { authenticated: false, detail: 'no login method is configured' };
  return exitCode === 0 ? { authenticated: true, detail: 'a login method is configured' } : null;
}
