import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationRecord, StageChange, Turn } from '../domain/conversation.js';
import type { ConversationArrangement, PlannedTurn } from '../domain/conversation-arrangement.js';
import { KnownError } from '../domain/known-error.js';
import type { ProcessResult } from '../exec/run-process.js';
import { ClaudeSession } from './claude-session.js';
import { readBlocks, type StreamEvent } from './claude-stream.js';
import { findRepeatedCalls, findUnknownFiles } from './context-findings.js';
import { readHookLog } from './hook-log.js';
import { awaitServers, type McpServer } from './mcp-servers.js';
import { sayTurn } from './say-turn.js';
import type { SessionOptions } from './session-options.js';
import { StageTracker } from './stage-tracker.js';
import { World } from './world.js';

/** What a conversation is about, and what it is held with. */
export interface ConversationPlan extends Pick<ConversationArrangement, 'turns' | 'workflow'> {
  readonly session: Omit<SessionOptions, 'review' | 'onEvent' | 'onStateChange'>;
  /** Where a recording hook writes. */
  readonly hookLog: string;
}

export interface HeldConversation {
  readonly record: ConversationRecord;
  /** How the CLI ended. */
  readonly result: ProcessResult;
}

/** Says one turn after the other and records what came of it; a CLI that goes in the middle ends the conversation. */
export async function holdConversation(plan: ConversationPlan): Promise<HeldConversation> {
  const { cwd, artifacts, sessionTimeoutSeconds } = plan.session;
  const world = await World.open(cwd);
  const tracker = plan.workflow === undefined ? null : new StageTracker(plan.workflow);
  let current: PlannedTurn = { prompt: '' };
  const session: ClaudeSession = await ClaudeSession.open({
    ...plan.session,
    review: async (turn) => {
      const change = await world.look(turn.number);
      return tracker?.take(turn, change) ?? [];
    },
    onEvent: (event) => {
      if (current.cancelled === 'at-first-call' && callsTool(event)) void session.interrupt();
    },
    onStateChange: (change) => appendFileSync(join(artifacts, 'states.jsonl'), `${JSON.stringify(change)}\n`),
  });
  const { startError, servers } = await begin(session);
  for (const planned of startError === null ? plan.turns : []) {
    current = typeof planned === 'string' ? { prompt: planned } : planned;
    const turn = await sayTurn(session, current, sessionTimeoutSeconds);
    if (turn.outcome.kind === 'crashed' || turn.outcome.kind === 'timed-out') break;
  }
  const result = await session.end();
  const { turns } = session;
  const stages = tracker?.changes ?? [];
  return {
    result,
    record: {
      sessionId: session.id,
      planned: plan.turns.length,
      startError,
      turns,
      init: describeInit(session, servers),
      commands: session.commands.map(({ name, description }) => ({ name, description })),
      workflow: tracker?.workflow.name ?? null,
      stage: tracker?.stage ?? null,
      stages: [...stages],
      commits: world.commits,
      findings: [...findOddities(turns, cwd), ...stages.filter(({ valid }) => !valid).map(describeInvalid)],
      hookLog: await readHookLog(plan.hookLog),
      illegalSteps: session.states.illegal.map(({ event, from, detail }) => `${event} in ${from}: ${detail}`),
    },
  };
}

/** The MCP servers of a CLI that is ready; otherwise why it is not. */
async function begin(
  session: ClaudeSession,
): Promise<{ readonly startError: string | null; readonly servers: readonly McpServer[] }> {
  try {
    await session.begin();
    return { startError: null, servers: await awaitServers(session) };
  } catch (error) {
    if (error instanceof KnownError) return { startError: error.message, servers: [] };
    throw error;
  }
}

function callsTool(event: StreamEvent): boolean {
  return (
    event.type === 'assistant' && readBlocks(event.message.content).some(({ type }) => type === 'tool_use')
  );
}

function findOddities(turns: readonly Turn[], cwd: string) {
  const seen = turns.map(({ number, sent, text, calls }) => ({ number, prompt: sent, said: text, calls }));
  return [...findRepeatedCalls(seen), ...findUnknownFiles(seen, (path) => existsSync(join(cwd, path)))];
}

function describeInvalid({ turn, from, to }: StageChange) {
  return { kind: 'invalid-transition' as const, turn, from, to };
}

function describeInit({ init }: ClaudeSession, servers: readonly McpServer[]): ConversationRecord['init'] {
  if (init === null) return null;
  return {
    version: init.claude_code_version,
    model: init.model,
    permissionMode: init.permissionMode,
    tools: init.tools,
    agents: init.agents,
    skills: init.skills,
    mcpServers: init.mcp_servers.map(({ name, status }) => {
      const { error } = servers.find((server) => server.name === name) ?? {};
      return { name, status, ...(status === 'failed' && error !== undefined ? { error } : {}) };
    }),
    plugins: init.plugins,
    pluginErrors: init.plugin_errors,
  };
}
