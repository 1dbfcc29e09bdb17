import type { IncomingHttpHeaders } from 'node:http';

/** What the headers of a request tell about the program that sent it. */
export interface Caller {
  /** An agent CLI that we know; null for anybody else. */
  readonly cli: 'claude' | 'opencode' | 'codex' | 'gemini' | null;
  readonly session: string | null;
  /** One of Claude Code's own subagents asks, not the agent that was prompted. */
  readonly isSubagent: boolean;
}

const USER_AGENTS = [
  ['claude', /^claude-cli\//],
  ['opencode', /^opencode\//],
  ['codex', /^codex/i],
  ['gemini', /^GeminiCLI/i],
] as const;

/** Names of headers in which CLIs name their session: Claude Code, OpenCode, codex. */
const SESSION_HEADERS = [
  'x-claude-code-session-id',
  'x-session-id',
  'x-session-affinity',
  'session_id',
  'session-id',
];

/** Reads the headers of a request. */
export function readCaller(headers: IncomingHttpHeaders): Caller {
  const agent = headers['user-agent'] ?? '';
  const session = SESSION_HEADERS.map((name) => headers[name]).find((value) => typeof value === 'string');
  return {
    cli: USER_AGENTS.find(([, pattern]) => pattern.test(agent))?.[0] ?? null,
    session: typeof session === 'string' ? session : null,
    isSubagent: headers['x-claude-code-agent-id'] !== undefined,
  };
}

/** The prompt as the user gave it: OpenCode quotes an argument that holds blanks before it sends it. */
export function undoQuoting(prompt: string, { cli }: Caller): string {
  if (cli !== 'opencode' || !/^"[\s\S]*"$/.test(prompt)) return prompt;
  return prompt.slice(1, -1).replaceAll('\\"', '"');
}
