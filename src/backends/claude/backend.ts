import { join } from 'node:path';
import * as z from 'zod';
import { parseJson } from '../../domain/common/json-lines.js';
import type { ProbeAnswer, ProbeOutput } from '../backend.js';
import { defineBackend } from '../define-backend.js';
import { REFUSED_KEY, SCRIPTED_KEY } from '../environment.js';
import { readClaudeStream } from './transcript.js';

/** The error of its tools for a change to a file that the conversation has not read. */
const NOT_READ_YET = /has not been read yet/;

/** Ralph starts it with these. */
const WITHOUT_USER_SETTINGS = ['--setting-sources', 'project,local'];

/** Claude Code. */
export const claude = defineBackend('claude', {
  probe: {
    // A key in the user's settings is a login for `auth status` alone, and none for Ralph (measured with 2.1.325).
    args: [...WITHOUT_USER_SETTINGS, 'auth', 'status'],
    env: { DISABLE_AUTOUPDATER: '1' },
    parse: parseAuthStatus,
    elsewhere: {
      args: ['auth', 'status'],
      fix: 'the key is in your own settings (~/.claude/settings.json), which Ralph does not read: export it as ANTHROPIC_API_KEY',
    },
  },
  credentialVariables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  // As root it refuses Ralph's `--dangerously-skip-permissions` unless IS_SANDBOX is 1. That is the user's decision.
  accountVariables: ['CLAUDE_CONFIG_DIR', 'ANTHROPIC_BASE_URL', 'IS_SANDBOX'],
  loginFiles: ['.claude.json', '.claude/.credentials.json'],
  installHint: 'npm install -g @anthropic-ai/claude-code',
  loginHint: 'claude auth login',
  // Ralph starts it with `--setting-sources project,local`: none of the user's instructions, settings, skills, agents
  // or servers showed up in a request (plugins were not tried). The workspace's settings switch off its notes on the
  // working folder, which are also in HOME. Only an administrator's settings remain.
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
  sandbox: {
    // Ralph starts it with --dangerously-skip-permissions, which it refuses for root outside a sandbox.
    ...(isRoot() ? { IS_SANDBOX: '1' } : {}),
    // It gives hooks 1.5 s at the end of a session, in which a program may not even start on a busy machine.
    CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS: '30000',
  },
  obstacle: (env) =>
    isRoot() && env.IS_SANDBOX !== '1'
      ? 'running as root: Claude Code refuses to start with the options that Ralph passes, unless IS_SANDBOX=1 is set'
      : null,
  refusedCredentials: {
    ANTHROPIC_API_KEY: REFUSED_KEY,
    // By default it retries a 401 ten times, which takes more than 90 seconds.
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  },
  modelArgs: (model) => ['--model', model],
  withoutUserSettings: WITHOUT_USER_SETTINGS,
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
      // `1<tab>first line`, in older versions with an arrow; a final line feed counts as one more line.
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
  whyNotReplayed: null,
  standIn: async () => (await import('./stand-in/stand-in.js')).claudeStandIn,
});

const authStatus = z.object({
  loggedIn: z.boolean(),
  authMethod: z.string().optional(),
  apiKeySource: z.string().optional(),
  subscriptionType: z.string().optional(),
});

/** `claude auth status` prints JSON in both cases (exit 1 when logged out). It only checks that a key is set. */
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

/** The folder of an administrator's settings, which `--setting-sources` cannot switch off. */
function managedFolder(): string {
  return process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code';
}
