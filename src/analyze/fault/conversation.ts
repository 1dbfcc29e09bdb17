import type { CheckResult } from '../../domain/check.js';
import { isAskedIn } from '../../domain/checks/asked.js';
import { contentOf } from '../../domain/checks/file-content.js';
import type { ConversationRecord, Turn } from '../../domain/evidence/conversation.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Deviation } from './explain.js';
import { untouchedFiles } from './loop.js';

/**
 * Shows, by one failed check of a conversation, where the agent parted from what the user asked; null if the check does not
 * show it. The evidence has what the user asked, but not what a plugin's command or hook made of it. So only plain turns can
 * be judged: in all others the plugin may have told the agent something else.
 */
export function findTurnDeviation(
  check: CheckResult,
  evidence: Evidence,
  talk: ConversationRecord,
): Deviation | null {
  const { turn } = check.about ?? {};
  const judged = talk.turns.filter(({ number }) => turn === undefined || number === turn);
  const heard = talk.turns.filter(({ number }) => turn === undefined || number <= turn);
  const sent = [...heard.map(({ asked }) => asked), ...untouchedFiles(evidence)];
  if (judged.length === 0 || !heard.every(isPlain) || !isAskedIn(sent, check)) return null;
  const because = TURN_DEVIATIONS[check.kind]?.(check, evidence, judged) ?? null;
  return because === null ? null : { at: turn ?? talk.turns[0]?.number ?? 1, because, altersCourse: false };
}

/** Returns what the evidence does not show of the CLI's part, in one sentence; null if it shows all of it. */
export function findPartOfCli({ exit, leftBehind }: Evidence, talk: ConversationRecord): string | null {
  const { startError, init, turns, planned, illegalSteps } = talk;
  if (startError !== null || init === null) return 'The CLI did not start.';
  if (init.pluginErrors.length > 0) return 'A plugin was not loaded.';
  if (init.mcpServers.some(({ status }) => status !== 'connected')) return 'An MCP server was not connected.';
  if (illegalSteps.length > 0) return 'The conversation made a step that is not allowed.';
  const unfinished = turns.find(({ outcome }) => outcome.kind !== 'completed');
  if (unfinished !== undefined) return `Turn ${unfinished.number} did not complete.`;
  if (turns.length !== planned) return 'Not every turn took place.';
  const ended = exit.kind === 'exited' && exit.code === 0 && leftBehind.length === 0;
  return ended ? null : 'The CLI did not end in order.';
}

/** Whether the agent got exactly what the user asked: no command, no hook and no refused permission came between. */
function isPlain({ command, asked, sent, hooks, denied }: Turn): boolean {
  return command === null && asked === sent && hooks.length === 0 && denied.length === 0;
}

type Explain = (check: CheckResult, evidence: Evidence, turns: readonly Turn[]) => string | null;

/** How a deviation shows in each kind of check, in plain turns. Others fail as a consequence, or judge the CLI or a plugin. */
export const TURN_DEVIATIONS: Readonly<Record<string, Explain>> = {
  turnSays: explainAnswer,
  turnMentions: explainAnswer,
  fileContains: explainFile,
  fileEquals: explainFile,
  fileSeen: explainUnseen,
};

function explainAnswer({ about = {} }: CheckResult): string {
  return `The answer in turn ${about.turn} lacks what the user asked for.`;
}

function explainUnseen({ about = {} }: CheckResult, _: Evidence, turns: readonly Turn[]): string | null {
  const { turn, path = '', names = [] } = about;
  const opened = turns
    .flatMap(({ calls }) => calls)
    .some(({ input }) => JSON.stringify(input).includes(path));
  return names.includes('read') && !opened ? `The agent did not open ${path} in turn ${turn}.` : null;
}

function explainFile({ about = {} }: CheckResult, evidence: Evidence, turns: readonly Turn[]): string | null {
  const { path = '' } = about;
  const calls = turns.flatMap((turn) => turn.calls).map(({ input }) => JSON.stringify(input));
  const content = contentOf(evidence, path);
  if (content.kind === 'absent') {
    return calls.some((input) => input.includes(path))
      ? null
      : `No turn wrote ${path}; the user asked for it.`;
  }
  const text = content.kind === 'whole' ? JSON.stringify(content.text.trim()).slice(1, -1) : '';
  return text !== '' && calls.some((input) => input.includes(path) && input.includes(text))
    ? `The agent wrote something else into ${path} than the user asked for.`
    : null;
}
