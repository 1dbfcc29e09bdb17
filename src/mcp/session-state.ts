import { describeOutcome } from '../kinds/conversation/session/describe-outcome.js';
import type { ManagedSession } from '../kinds/conversation/session/managed-session.js';
import type { Laboratory } from './laboratory.js';
import { listHookRuns } from './plugins/hook-runs.js';
import { billed, describeCall, describeUsage } from './results.js';

/** Describes the current state of a session as data: history, states, stages, hooks. */
export function describeSession(laboratory: Laboratory, session: ManagedSession) {
  const facts = laboratory.facts.get(session.id);
  const stages = new Map(
    session.exchanges.flatMap(({ turn, stage }) => (turn === null ? [] : [[turn.number, stage] as const])),
  );
  const turns = session.session.turns.flatMap((turn) => {
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
        ...describeUsage(laboratory, session, null),
      },
      {
        turn_number: 2 * turn.number,
        role: 'assistant' as const,
        content: turn.text,
        tool_calls: turn.calls.map((call) => describeCall(session, call)),
        timestamp: end,
        workflow_stage,
        ...describeUsage(laboratory, session, turn),
      },
    ];
  });
  return {
    session_id: session.id,
    created_at: session.createdAt,
    ended_at: session.endedAt,
    working_directory: session.workingDirectory,
    agent_mode: facts?.agentMode ?? 'default',
    plugins: (facts?.plugins ?? []).map(({ name, id, path }) => ({ name, id, path })),
    commands: session.session.commands.map(({ name }) => `/${name}`),
    state: session.session.states.state.name,
    workflow: session.tracker?.workflow.name ?? null,
    stage: session.tracker?.stage ?? null,
    stage_changes: session.tracker?.changes ?? [],
    stage_visits: session.stageVisits.map(({ stage, enteredAt, leftAt, trigger }) => ({
      stage,
      entered_at: enteredAt,
      left_at: leftAt,
      trigger,
    })),
    turns,
    usage: session.session.turns.reduce(
      (sum, turn) => ({
        input_tokens: sum.input_tokens + turn.inputTokens,
        output_tokens: sum.output_tokens + turn.outputTokens,
      }),
      { input_tokens: 0, output_tokens: 0 },
    ),
    cost_usd: billed(laboratory.lane, session.session.turns.at(-1)?.totalCostUsd ?? 0),
    outcomes: session.session.turns.map((turn) => {
      const late = session.exchanges.find((exchange) => exchange.timedOut && exchange.turn === turn);
      return late !== undefined && turn.outcome.kind === 'cancelled'
        ? `cancelled at its limit of ${late.timeoutSeconds} s`
        : describeOutcome(turn.outcome);
    }),
    state_log: session.session.states.changes,
    hooks: listHookRuns(laboratory).filter(({ session_id }) => session_id === session.id),
  };
}
