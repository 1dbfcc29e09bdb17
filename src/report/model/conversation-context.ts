import type { ConversationRecord, StageChange } from '../../domain/evidence/conversation.js';
import type { ReportContext } from '../../domain/report/report.js';

type Moment = ReportContext['events_emitted'][number];

/** Returns the unit in which a run is counted. */
export function unitOf({ conversation }: ReportContext): 'turn' | 'iteration' {
  return conversation === undefined ? 'iteration' : 'turn';
}

/** Describes a conversation except for its turns. */
export function describeConversation(record: ConversationRecord): NonNullable<ReportContext['conversation']> {
  const { planned, turns, workflow, stage, init } = record;
  return {
    planned_turns: planned,
    turns: turns.map(({ number, asked, outcome }) => ({ number, asked, outcome: outcome.kind })),
    workflow,
    stage,
    plugins: (init?.plugins ?? []).map(({ name }) => name),
    plugin_errors: (init?.pluginErrors ?? []).map(
      ({ plugin, type, message }) => `${plugin} ${type}: ${message}`,
    ),
  };
}

/** Lists what happened in the turns, in place of a loop's events: stages, blocking hooks, commits. */
export function describeMoments({ turns, stages, commits, findings }: ConversationRecord): Moment[] {
  const moments = [
    ...turns.flatMap((turn) =>
      turn.hooks
        .filter(({ blocked }) => blocked)
        .map(({ name, reason }) => moment(turn.number, `hook.blocked ${name}`, reason)),
    ),
    ...stages.map((change) => moment(change.turn, `stage.${change.to}`, describeStage(change))),
    ...commits.map(({ turn, message }) => moment(turn, 'commit', message)),
    ...findings.map(({ kind, turn, ...rest }) =>
      moment(turn, `finding.${kind}`, Object.values(rest).join(', ')),
    ),
  ];
  return moments.sort((one, other) => (one.iteration ?? 0) - (other.iteration ?? 0));

  function moment(iteration: number, topic: string, payload: string | null): Moment {
    const timestamp = turns.find(({ number }) => number === iteration)?.startedAt ?? '';
    return { topic, payload, timestamp, source_hat: null, iteration, emitted_by: 'agent' };
  }
}

/** Returns the stage in which a turn ended. */
export function stageAfter({ stages }: ConversationRecord, turn: number): string | null {
  return stages.findLast((change) => change.turn <= turn)?.to ?? null;
}

function describeStage({ from, proofs, observed, valid }: StageChange): string {
  const how = proofs.join(', ') || 'not proved';
  const seen = observed.length === 0 ? '' : `: ${observed.join('; ')}`;
  return `from ${from}, ${how}${seen}${valid ? '' : ' (the workflow does not allow this step)'}`;
}
