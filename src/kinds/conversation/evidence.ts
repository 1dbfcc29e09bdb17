import type { Turn } from '../../domain/evidence/conversation.js';
import type { Evidence, ProcessExit } from '../../domain/evidence/evidence.js';
import type { ServiceError } from '../../domain/evidence/service-error.js';
import type { AttemptFacts } from '../../lane/workbench.js';
import { createReader } from '../../workspace/read-inside.js';
import {
  describeExit,
  readFiles,
  readInvocations,
  toCapturedText,
} from '../../workspace/runs/run-remains.js';
import type { HeldConversation } from './hold-conversation.js';
import { findTotalCost } from './turns/draft.js';

/** The facts of a conversation other than its turns. */
export interface ConversationFacts extends AttemptFacts {
  readonly command: string;
  /** True if the user ended the run. */
  readonly interrupted: boolean;
}

/** Converts a conversation to evidence: each turn becomes an iteration. */
export async function collectConversation(
  { record, result }: HeldConversation,
  facts: ConversationFacts,
): Promise<Evidence> {
  const { turns } = record;
  const reader = createReader(facts.workspace, facts.secrets);
  const serviceErrors = turns.flatMap(listServiceErrors);
  const { agentLog } = facts;
  return {
    command: [facts.command],
    cwd: facts.workspace,
    configYaml: '',
    promptText: turns.map(({ asked }) => asked).join('\n'),
    startedAt: facts.startedAt.toISOString(),
    durationSeconds: result.durationMs / 1000,
    exit: describeEnd({ record, result }, facts),
    stdout: toCapturedText(result.stdout),
    stderr: toCapturedText(result.stderr),
    termination: null,
    iterations: turns.map((turn) => ({
      number: turn.number,
      hat: null,
      prompt: turn.sent,
      said: turn.text,
      toolCalls: turn.calls.map(({ id, name, input, result: answer, isError }) => ({
        id,
        name,
        input: JSON.stringify(input),
        result: answer,
        isError,
      })),
      durationSeconds: turn.durationMs / 1000,
    })),
    events: [],
    malformedLines: [],
    history: [],
    scratchpad: { before: null, after: null },
    memories: [],
    tasks: [],
    ...(await readFiles(reader, facts)),
    usage: {
      model: record.init?.model ?? null,
      turns: turns.length,
      inputTokens: turns.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
      outputTokens: turns.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      costUsd: findTotalCost(turns),
      calls: turns.filter(({ outcome }) => !BROKEN_OFF.has(outcome.kind)).length,
    },
    backendErrors: turns.flatMap(({ outcome }) => (outcome.kind === 'api-error' ? [outcome.message] : [])),
    ...(serviceErrors.length === 0 ? {} : { serviceErrors }),
    invocations: agentLog === null ? [] : await readInvocations(agentLog, facts.secrets),
    requests: facts.requests.map(({ received: _, ...request }) => request),
    errands: [...facts.errands],
    leftBehind: [...result.leftBehind, ...result.survivors].map(({ pid, command }) => ({ pid, command })),
    readiness: null,
    conversation: record,
  };
}

/** The outcomes of turns that ended before the CLI reported their cost. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['cancelled', 'timed-out', 'crashed']);

/** Lists the errors of the service in a turn. Without a list of the CLI's, there is the one that ended the turn. */
function listServiceErrors({ number, outcome, serviceErrors }: Turn): ServiceError[] {
  if (serviceErrors !== undefined) return serviceErrors.map((error) => ({ iteration: number, ...error }));
  if (outcome.kind !== 'api-error') return [];
  const { status, message } = outcome;
  return [{ iteration: number, status, kind: null, message, overcome: false, waitedSeconds: 0 }];
}

/** If a turn took too long, we ended the CLI ourselves: that is a timeout, not an interruption by the user. */
function describeEnd(
  { record, result }: HeldConversation,
  { interrupted, timeoutSeconds }: ConversationFacts,
): ProcessExit {
  const last = record.turns.at(-1)?.outcome;
  if (interrupted) return { kind: 'interrupted' };
  if (last?.kind === 'timed-out') return { kind: 'timed-out', afterSeconds: last.afterSeconds };
  if (result.interrupted) return { kind: 'killed', signal: 'SIGTERM' };
  return describeExit(result, timeoutSeconds);
}
