import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isKnownError, KnownError } from '../../domain/common/known-error.js';
import type { ConversationRecord, StageChange, Turn } from '../../domain/evidence/conversation.js';
import type { ConversationArrangement, PlannedTurn } from '../../domain/scenario/conversation-arrangement.js';
import type { BackendId } from '../../domain/vocabulary.js';
import { hasErrorCode } from '../../exec/error-code.js';
import { appendPlainText } from '../../exec/files/plain-file.js';
import type { ProcessResult } from '../../exec/process/run-process.js';
import { hookLogPath, readHookLog } from './hook-log.js';
import { Conversation, openInForm } from './session/conversation.js';
import type { StateChange } from './session/log.js';
import type { SessionOptions } from './session/session.js';
import { findRepeatedCalls, findUnknownFiles, listFilesSeen, type SeenTurn } from './stages/findings.js';
import { WorkflowStages } from './stages/tracker.js';
import { WorkspaceWatch } from './stages/workspace.js';

/** The turns of a conversation, and the session that holds it. */
export interface ConversationPlan extends Pick<ConversationArrangement, 'turns' | 'workflow' | 'form'> {
  readonly backend: BackendId;
  /** Files that checks read, whose content is kept for each turn. */
  readonly asks?: readonly string[];
  readonly session: Omit<SessionOptions, 'review' | 'onEvent' | 'onCall' | 'onStateChange'>;
}

export interface HeldConversation {
  readonly record: ConversationRecord;
  /** How the CLI ended. */
  readonly result: ProcessResult;
}

/** Sends the turns one by one and records the results. The conversation ends if the CLI exits early. */
export async function holdConversation(plan: ConversationPlan): Promise<HeldConversation> {
  const { cwd, artifacts, sessionTimeoutSeconds, secrets } = plan.session;
  const workspace = await WorkspaceWatch.open(cwd, { asks: plan.asks ?? [], secrets });
  const workflow = new WorkflowStages(plan.workflow === undefined ? [] : [plan.workflow]);
  let current: PlannedTurn = { prompt: '' };
  const conversation: Conversation = await Conversation.open({
    open: (options) => openInForm(plan.backend, plan.form, options),
    workspace,
    stages: (turn, change) => workflow.take(turn, change),
    options: {
      ...plan.session,
      onCall: () => {
        if (current.cancelled !== 'at-first-call') return;
        // If the CLI exits instead of answering, the request fails. The recorded outcome of the turn shows the same.
        session.interrupt().catch(() => {});
      },
      onStateChange: (change) => appendState(join(artifacts, 'states.jsonl'), change),
    },
  });
  const { session } = conversation;
  const startError = await conversation.start().then(() => null, readStartError);
  try {
    for (const planned of startError === null ? plan.turns : []) {
      current = typeof planned === 'string' ? { prompt: planned } : planned;
      const turn = await conversation.say(current, sessionTimeoutSeconds);
      // A CLI that runs once per turn can be started again. One that holds the whole conversation cannot.
      const broken = turn.outcome.kind === 'crashed' || turn.outcome.kind === 'timed-out';
      if (broken && session.over !== null) break;
    }
  } catch (error) {
    // The workspace could not be read after a turn. The CLI must not outlive its conversation.
    await conversation.end();
    throw error;
  }
  const result = await conversation.end();
  const { turns } = session.log;
  const stages = workflow.active?.changes ?? [];
  return {
    result,
    record: {
      sessionId: session.id,
      planned: plan.turns.length,
      startError,
      turns,
      init: session.about,
      commands: session.commands.map(({ name, description }) => ({ name, description })),
      workflow: workflow.active?.workflow.name ?? null,
      stage: workflow.active?.stage ?? null,
      stages: [...stages],
      commits: workspace.commits,
      snapshots: [...workspace.snapshots],
      filesSeen: listFilesSeen(turns.map(readTurn), cwd, workspace.snapshots),
      findings: [...findOddities(turns, cwd), ...stages.filter(({ valid }) => !valid).map(describeInvalid)],
      hookLog: await readHookLog(hookLogPath(artifacts)),
      illegalSteps: session.log.illegal.map(({ event, from, detail }) => `${event} in ${from}: ${detail}`),
    },
  };
}

/** Appends to a debug log. No code reads it, so a truncated file is harmless. */
function appendState(path: string, change: StateChange): void {
  try {
    appendPlainText(path, `${JSON.stringify(change)}\n`);
  } catch (error) {
    // An agent can remove our folder, or replace the file with something else. The conversation continues.
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR') && !isKnownError(error)) throw error;
  }
}

/** Returns why the CLI or its servers are not ready. */
function readStartError(error: unknown): string {
  if (error instanceof KnownError) return error.message;
  throw error;
}

function readTurn({ number, sent, text, calls }: Turn): SeenTurn {
  return { number, prompt: sent, said: text, calls };
}

function findOddities(turns: readonly Turn[], cwd: string) {
  const seen = turns.map(readTurn);
  return [...findRepeatedCalls(seen), ...findUnknownFiles(seen, (path) => existsSync(join(cwd, path)))];
}

function describeInvalid({ turn, from, to }: StageChange) {
  return { kind: 'invalid-transition' as const, turn, from, to };
}
