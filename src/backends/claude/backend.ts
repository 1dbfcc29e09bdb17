import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../domain/common/json-lines.js';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { REFUSED_KEY, SCRIPTED_KEY } from '../environment.js';
import { readClaudeStream } from './transcript.js';

/** With this its tools refuse to change a file that is not in the conversation yet. */
const NOT_READ_YET = /has not been read yet/;

/** Claude Code. */
export const claude = defineBackend('claude', {
  probe: { args: ['auth', 'status'], env: { DISABLE_AUTOUPDATER: '1' }, parse: parseAuthStatus },
  credentialVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  // As root it refuses ralph's `--dangerously-skip-permissions` unless IS_SANDBOX is 1: for the user to say.
  accountVariables: ['CLAUDE_CONFIG_DIR', 'ANTHROPIC_BASE_URL', 'IS_SANDBOX'],
  loginFiles: ['.claude.json', '.claude/.credentials.json'],
  installHint: 'npm install -g @anthropic-ai/claude-code',
  loginHint: 'claude auth login',
  // ralph starts it with `--setting-sources project,local`: of the user's instructions, settings, skills, agents and
  // servers none was seen in a request (plugins were not tried). Its notes on the working folder, also kept in HOME,
  // are for the workspace's settings to switch off. What an administrator prescribes is left.
  inheritedFiles: () =>
    ['CLAUDE.md', 'managed-settings.json', 'managed-settings.d', 'managed-mcp.json'].map((name) =>
      join(managedFolder(), name),
    ),
  privateHome: (home) => ({
    HOME: home,
    CLAUDE_CONFIG_DIR: undefined,
    CLAUDE_CODE_USE_BEDROCK: undefined,
    CLAUDE_CODE_USE_VERTEX: undefined,
  }),
  // ralph starts it with --dangerously-skip-permissions, which it refuses for root outside a sandbox.
  sandbox: isRoot() ? { IS_SANDBOX: '1' } : {},
  obstacle: (env) =>
    isRoot() && env.IS_SANDBOX !== '1'
      ? 'running as root: Claude Code refuses to start the way ralph starts it unless IS_SANDBOX=1 is set'
      : null,
  refusedCredentials: {
    ANTHROPIC_API_KEY: REFUSED_KEY,
    // A 401 is asked again ten times by default, which takes more than 90 seconds.
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  },
  modelArgs: (model) => ['--model', model],
  withoutUserSettings: ['--setting-sources', 'project,local'],
  tools: {
    write: {
      tool: 'Write',
      parameters: ['file_path', 'content'],
      input: ({ path, content }) => ({ file_path: path, content }),
      mustReadFirst: NOT_READ_YET,
    },
    edit: {
      tool: 'Edit',
      parameters: ['file_path', 'old_string', 'new_string'],
      input: ({ path, old, new: text }) => ({ file_path: path, old_string: old, new_string: text }),
      mustReadFirst: NOT_READ_YET,
    },
    read: {
      tool: 'Read',
      parameters: ['file_path'],
      input: ({ path }) => ({ file_path: path }),
      // `1<tab>first line`, in older versions with an arrow; the end of the last line counts as a line more.
      plainText: (result) => result.replace(/^ *\d+[\t→]/gm, ''),
    },
    run: { tool: 'Bash', parameters: ['command'], input: ({ command }) => ({ command }) },
  },
  scripted: {
    possible: true,
    environment: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: SCRIPTED_KEY,
      CLAUDE_CODE_MAX_RETRIES: '0',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    files: () => ({}),
  },
  readTranscript: readClaudeStream,
  standIn: async () => (await import('./stand-in/face.js')).claudeStandIn,
});

const authStatus = z.object({
  loggedIn: z.boolean(),
  authMethod: z.string().optional(),
  apiKeySource: z.string().optional(),
  subscriptionType: z.string().optional(),
});

/** `claude auth status` prints JSON in both cases (exit 1 when logged out); a key counts by being there. */
function parseAuthStatus({ stdout }: ProbeOutput): ProbeAnswer | null {
  const status = authStatus.safeParse(parseJson(stdout));
  if (!status.success) return null;
  const { loggedIn, authMethod, apiKeySource, subscriptionType } = status.data;
  if (!loggedIn) return { authenticated: false, detail: 'not logged in' };
  const how = [authMethod, apiKeySource, subscriptionType].filter((part) => part !== undefined);
  return { authenticated: true, detail: how.length === 0 ? 'logged in' : `logged in (${how.join(', ')})` };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Where an administrator's settings lie, which no `--setting-sources` switches off. */
function managedFolder(): string {
  return process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';
}
