import * as z from 'zod';
import type { CallRecord, Turn } from '../domain/evidence/conversation.js';
import { LANE_TRAITS } from '../domain/vocabulary.js';
import { describeOutcome } from '../kinds/conversation/session/outcome.js';
import { type ErrorName, toFailureResult } from './errors.js';
import type { Harness } from './harness.js';
import { listHookRuns } from './plugins/hook-runs.js';
import type { LaneSettings } from './prepare-claude.js';
import type { ManagedSession, TurnExchange } from './sessions.js';
import { type Page, takePage } from './tool.js';

/** A tool call of the agent. `tool` and `tool_name` are the same: clients use both. */
export const toolCallSchema = z.object({
  id: z.string(),
  tool_name: z.string(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  output: z.string().nullable(),
  is_error: z.boolean(),
  parent_tool_use_id: z.string().nullable(),
  started_at: z.string().nullable().describe('When Claude Code reported the call'),
  duration_ms: z.number().nullable().describe('How long the result took; null if there is none'),
});

function describeCall(
  { times }: ManagedSession,
  { id, name, input, result, isError, parent }: CallRecord,
): z.infer<typeof toolCallSchema> {
  const time = times.ofCall(id);
  return {
    id,
    tool_name: name,
    tool: name,
    input: { ...input },
    output: result,
    is_error: isError,
    parent_tool_use_id: parent,
    started_at: time?.startedAt ?? null,
    duration_ms: time?.durationMs ?? null,
  };
}

/** What a turn used, as Claude Code reported it; null while it runs. */
export const usageShape = {
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).nullable(),
  cost_usd: z
    .number()
    .nullable()
    .describe('What the turn cost, by the prices that Claude Code knows; 0 offline, where no model answers'),
};

function describeUsage(
  { lane }: Pick<Harness, 'lane'>,
  { turns }: ManagedSession,
  turn: Turn | null,
): z.infer<z.ZodObject<typeof usageShape>> {
  if (turn === null) return { usage: null, cost_usd: null };
  const before = turns.find(({ number }) => number === turn.number - 1)?.totalCostUsd ?? 0;
  return {
    usage: { input_tokens: turn.inputTokens, output_tokens: turn.outputTokens },
    cost_usd: billed(lane, turn.totalCostUsd - before),
  };
}

/** Returns what a CLI says that its answers cost, if a model gave them. */
function billed({ lane }: Pick<LaneSettings, 'lane'>, usd: number): number {
  // Sums of prices are not exact in binary.
  return LANE_TRAITS[lane].costsMoney ? Number(usd.toFixed(6)) : 0;
}

/** What is known of a prompt or a command so far. */
export const exchangeShape = {
  tool_calls: z.array(toolCallSchema).describe('Also one that is running: its output is null'),
  total_tool_calls: z.number(),
  agent_mode: z.string(),
  workflow_stage: z.string().nullable(),
  duration_ms: z.number().nullable(),
  ...usageShape,
  /** What went wrong; null if nothing did. */
  error: z.string().nullable(),
  error_name: z.string().nullable(),
};

type ExchangeState = 'pending' | 'running' | 'completed' | 'failed' | 'timeout' | 'cancelled';

/** Waits for an exchange. Cancels it if the caller cancels, and then waits until it is really over. */
export async function awaitExchange(exchange: TurnExchange, signal: AbortSignal): Promise<void> {
  signal.addEventListener('abort', exchange.cancel, { once: true });
  if (signal.aborted) exchange.cancel();
  await exchange.done;
  signal.removeEventListener('abort', exchange.cancel);
}

/** Determines the state of an exchange, and what went wrong. */
function judgeExchange(
  session: ManagedSession,
  exchange: TurnExchange,
): {
  readonly state: ExchangeState;
  readonly error: string | null;
  readonly error_name: string | null;
} {
  const { turn, failure, timedOut, timeoutSeconds, kind } = exchange;
  if (failure !== null) {
    const { error, error_name } = toFailureResult(failure);
    return { state: 'failed', error, error_name };
  }
  if (turn === null) {
    const begun =
      (session.session.partial?.text ?? '') !== '' || (session.session.partial?.calls.length ?? 0) > 0;
    return { state: begun ? 'running' : 'pending', error: null, error_name: null };
  }
  if (timedOut || turn.outcome.kind === 'timed-out') {
    const name: ErrorName = kind === 'command' ? 'CommandTimeoutError' : 'PromptTimeoutError';
    const goesOn = turn.outcome.kind === 'timed-out' ? 'The session has ended.' : 'The session goes on.';
    const took = (turn.durationMs / 1000).toFixed(1);
    const error = `It did not end within ${timeoutSeconds} s, and was ended after ${took} s. ${goesOn}`;
    return { state: 'timeout', error, error_name: name };
  }
  return judgeTurn(turn);
}

function judgeTurn(turn: Turn): ReturnType<typeof judgeExchange> {
  const error = describeOutcome(turn.outcome);
  switch (turn.outcome.kind) {
    case 'completed':
      return { state: 'completed', error: null, error_name: null };
    case 'cancelled':
      return { state: 'cancelled', error, error_name: null };
    case 'unknown-command':
      return { state: 'failed', error, error_name: 'CommandNotFoundError' };
    case 'ambiguous-command':
      return { state: 'failed', error, error_name: 'CommandAmbiguousError' };
    case 'api-error': {
      const login = turn.outcome.status === 401 || /not logged in|\/login/i.test(turn.outcome.message);
      return { state: 'failed', error, error_name: login ? 'BackendAuthError' : 'BackendUnavailableError' };
    }
    case 'blocked':
    case 'limit':
      return { state: 'failed', error, error_name: null };
    case 'timed-out':
    case 'crashed':
      return { state: 'failed', error, error_name: 'BackendUnavailableError' };
    default:
      return turn.outcome satisfies never;
  }
}

/** Describes what is known of an exchange so far, as the tools for prompts and those for commands return it. */
export function describeExchange(
  harness: Pick<Harness, 'lane'>,
  session: ManagedSession,
  exchange: TurnExchange,
  page: Page,
) {
  const { turn, failure, stage } = exchange;
  const { state, error, error_name } = judgeExchange(session, exchange);
  // What is under way now belongs to a later exchange.
  const partial = failure === null ? session.session.partial : null;
  const { text, calls } = turn ?? partial ?? { text: '', calls: [] };
  return {
    state,
    text: text === '' && turn === null ? null : text,
    tool_calls: takePage(calls, page).map((call) => describeCall(session, call)),
    total_tool_calls: calls.length,
    agent_mode: session.agentName,
    workflow_stage: stage,
    duration_ms: turn?.durationMs ?? null,
    ...describeUsage(harness, session, turn),
    error,
    error_name,
  };
}

/** Describes the current state of a session as data: history, states, stages, hooks. */
export function describeSession(harness: Harness, session: ManagedSession) {
  const stages = new Map(
    session.exchanges.flatMap(({ turn, stage }) => (turn === null ? [] : [[turn.number, stage] as const])),
  );
  const turns = session.turns.flatMap((turn) => {
    const workflow_stage = stages.get(turn.number) ?? null;
    const end = new Date(Date.parse(turn.startedAt) + turn.durationMs).toISOString();
    return [
      {
        turn_number: 2 * turn.number - 1,
        role: 'user' as const,
        content: turn.sent,
        tool_calls: [],
        timestamp: turn.startedAt,
        workflow_stage,
        ...describeUsage(harness, session, null),
      },
      {
        turn_number: 2 * turn.number,
        role: 'assistant' as const,
        content: turn.text,
        tool_calls: turn.calls.map((call) => describeCall(session, call)),
        timestamp: end,
        workflow_stage,
        ...describeUsage(harness, session, turn),
      },
    ];
  });
  return {
    session_id: session.id,
    created_at: session.createdAt,
    ended_at: session.endedAt,
    working_directory: session.options.cwd,
    agent_mode: session.agentName,
    plugins: session.options.plugins.map(({ name, id, path }) => ({ name, id, path })),
    commands: session.session.commands.map(({ name }) => `/${name}`),
    state: session.session.log.state,
    workflow: session.workflows.active?.workflow.name ?? null,
    stage: session.stage,
    stage_changes: session.workflows.active?.changes ?? [],
    stage_visits: session.workflows.visits.map(({ stage, enteredAt, leftAt, trigger }) => ({
      stage,
      entered_at: enteredAt,
      left_at: leftAt,
      trigger,
    })),
    turns,
    usage: session.turns.reduce(
      (sum, turn) => ({
        input_tokens: sum.input_tokens + turn.inputTokens,
        output_tokens: sum.output_tokens + turn.outputTokens,
      }),
      { input_tokens: 0, output_tokens: 0 },
    ),
    cost_usd: billed(harness.lane, session.turns.at(-1)?.totalCostUsd ?? 0),
    outcomes: session.turns.map((turn) => {
      const late = session.exchanges.find((exchange) => exchange.timedOut && exchange.turn === turn);
      return late !== undefined && turn.outcome.kind === 'cancelled'
        ? `cancelled at its limit of ${late.timeoutSeconds} s`
        : describeOutcome(turn.outcome);
    }),
    state_log: session.session.log.changes,
    hooks: listHookRuns(harness).filter(({ session_id }) => session_id === session.id),
  };
}
