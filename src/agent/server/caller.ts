import type { IncomingHttpHeaders } from 'node:http';
import type { ModelRequest } from './model/request.js';

/** What the headers of a request reveal about the program that sent it. */
export interface Caller {
  /** A known agent CLI, or null. */
  readonly cli: 'claude' | 'opencode' | 'codex' | 'gemini' | null;
  readonly session: string | null;
  /** The request comes from a subagent of Claude Code, not from the agent that was prompted. */
  readonly isSubagent: boolean;
}

const USER_AGENTS = [
  ['claude', /^claude-cli\//],
  ['opencode', /^opencode\//],
  ['codex', /^codex/i],
  ['gemini', /^GeminiCLI/i],
] as const;

/** The headers in which Claude Code, OpenCode, codex and pi send their session; any program may. */
const SESSION_HEADERS = [
  'x-claude-code-session-id',
  'x-session-id',
  'x-session-affinity',
  'session_id',
  'session-id',
];

export function readCaller(headers: IncomingHttpHeaders): Caller {
  const agent = headers['user-agent'] ?? '';
  const session = SESSION_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
  return {
    cli: USER_AGENTS.find(([, pattern]) => pattern.test(agent))?.[0] ?? null,
    session: typeof session === 'string' ? session : null,
    isSubagent: headers['x-claude-code-agent-id'] !== undefined,
  };
}

/** CLIs whose key for the cache is their session. Programs may share a key between conversations. */
const KEYED_BY_SESSION: ReadonlySet<Caller['cli']> = new Set(['codex', 'opencode']);

/** Returns the session that a request names, or null. */
export function sessionOf({ session, cacheKey = null }: ModelRequest, caller: Caller): string | null {
  return caller.session ?? session ?? (KEYED_BY_SESSION.has(caller.cli) ? cacheKey : null);
}

/** Restores the user's prompt: OpenCode quotes an argument with spaces before it sends it. */
export function undoQuoting(prompt: string, { cli }: Caller): string {
  if (cli !== 'opencode' || !/^"[\s\S]*"$/.test(prompt)) return prompt;
  return prompt.slice(1, -1).replaceAll('\\"', '"');
}
