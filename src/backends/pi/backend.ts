import { join } from 'node:path';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { homeOf, REFUSED_KEY, SCRIPTED_KEY } from '../environment.js';
import { readPiStream } from './transcript.js';

/** The pi coding agent. */
export const pi = defineBackend('pi', {
  probe: { args: ['--list-models'], env: { PI_OFFLINE: '1' }, parse: parseListModels },
  credentialVariables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  accountVariables: ['PI_CODING_AGENT_DIR'],
  loginFiles: ['.pi/agent/auth.json'],
  installHint: 'npm install -g @mariozechner/pi-coding-agent',
  loginHint: 'start pi once and use /login',
  inheritedFiles: (env) => {
    const config = env.PI_CODING_AGENT_DIR ?? join(homeOf(env), '.pi', 'agent');
    return [
      ...['settings.json', 'models.json', 'AGENTS.md', 'CLAUDE.md', 'SYSTEM.md', 'APPEND_SYSTEM.md'],
      ...['extensions', 'prompts', 'skills', 'tools'],
    ]
      .map((name) => join(config, name))
      .concat(join(homeOf(env), '.agents', 'skills'));
  },
  privateHome: (home) => ({ HOME: home, PI_CODING_AGENT_DIR: undefined }),
  refusedCredentials: { ANTHROPIC_API_KEY: REFUSED_KEY, PI_OFFLINE: '1' },
  modelArgs: (model) => ['--model', model],
  tools: {
    write: {
      tool: 'write',
      parameters: ['path', 'content'],
      input: ({ path, content }) => ({ path, content }),
    },
    edit: {
      tool: 'edit',
      parameters: ['path', 'edits'],
      input: ({ path, old, new: text }) => ({ path, edits: [{ oldText: old, newText: text }] }),
    },
    read: { tool: 'read', parameters: ['path'], input: ({ path }) => ({ path }) },
    run: { tool: 'bash', parameters: ['command'], input: ({ command }) => ({ command }) },
  },
  scripted: {
    possible: true,
    environment: () => ({ PI_OFFLINE: '1' }),
    files: (url) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${url}/v1`,
            api: 'openai-completions',
            apiKey: SCRIPTED_KEY,
            models: [{ id: 'scripted-model' }],
          },
        },
      }),
      '.pi/agent/settings.json': JSON.stringify({
        defaultProvider: 'scripted',
        defaultModel: 'scripted-model',
        enableInstallTelemetry: false,
        quietStartup: true,
        // Otherwise pi tries twelve times in twenty seconds before it gives up.
        retry: { enabled: false },
      }),
    }),
  },
  readTranscript: readPiStream,
  whyNotReplayed: 'The stand-in for pi does not do recorded tool calls again.',
  standIn: async () => (await import('./stand-in/stand-in.js')).piStandIn,
});

/** `pi --list-models` always exits with 0 and prints on stderr: the models of all providers it has a login for. */
function parseListModels({ exitCode, stdout, stderr }: ProbeOutput): ProbeAnswer | null {
  const lines = `${stdout}\n${stderr}`.split('\n');
  if (exitCode !== 0) return null;
  if (lines.some((line) => line.startsWith('No models available')))
    return { authenticated: false, detail: 'no provider is logged in' };
  const head = lines.findIndex((line) => /^provider\s+model\b/.test(line));
  if (head === -1) return null;
  const rows = lines.slice(head + 1).filter((line) => line.trim() !== '');
  const providers = [...new Set(rows.map((line) => line.split(/\s+/)[0]))];
  return { authenticated: rows.length > 0, detail: `${rows.length} models of ${providers.join(', ')}` };
}
