import type { CheckResult } from '../../domain/check.js';
import { isAskedIn } from '../../domain/checks/asked.js';
import { contentOf } from '../../domain/checks/file-content.js';
import type { ConversationRecord, Turn } from '../../domain/evidence/conversation.js';
import type { Evidence } from '../../domain/evidence/evidence.js';
import { untouchedFiles } from './loop.js';

/**
 * Explains a failed check of a conversation by what the agent did, in one sentence; null if it does not. The evidence
 * has what the user asked, but not what a plugin's command or hook made of it. So only plain turns can be judged: in all
 * others the plugin may have told the agent something else.
 */
export function explainTurn(check: CheckResult, evidence: Evidence, talk: ConversationRecord): string | null {
  const { turn } = check.about ?? {};
  const judged = talk.turns.filter(({ number }) => turn === undefined || number === turn);
  const heard = talk.turns.filter(({ number }) => turn === undefined || number <= turn);
  const sent = [...heard.map(({ asked }) => asked), ...untouchedFiles(evidence)];
  if (judged.length === 0 || !heard.every(isPlain) || !isAskedIn(sent, check)) return null;
  return TURN_EXPLANATIONS[check.kind]?.(check, evidence, judged) ?? null;
}

/** Whether the CLI did its part: it started, every turn took place and ended with an answer, and nothing failed. */
export function cliDidItsPart({ exit, leftBehind }: Evidence, talk: ConversationRecord): boolean {
  const { startError, init, turns, planned, illegalSteps } = talk;
  return (
    exit.kind === 'exited' &&
    exit.code === 0 &&
    leftBehind.length === 0 &&
    startError === null &&
    illegalSteps.length === 0 &&
    init !== null &&
    init.pluginErrors.length === 0 &&
    init.mcpServers.every(({ status }) => status === 'connected') &&
    turns.length === planned &&
    turns.every(({ outcome }) => outcome.kind === 'completed')
  );
}

/** Whether the agent got exactly what the user asked: no command, no hook and no refused permission came between. */
function isPlain({ command, asked, sent, hooks, denied }: Turn): boolean {
  return command === null && asked === sent && hooks.length === 0 && denied.length === 0;
}

type Explain = (check: CheckResult, evidence: Evidence, turns: readonly Turn[]) => string | null;

/** How the failure of each kind of check is explained in plain turns. Kinds that are not here judge the CLI or a plugin. */
const TURN_EXPLANATIONS: Readonly<Record<string, Explain>> = {
  turnSays: explainAnswer,
  turnMentions: explainAnswer,
  fileContains: explainFile,
  fileEquals: explainFile,
};

function explainAnswer({ about = {} }: CheckResult): string {
  return `The answer in turn ${about.turn} lacks what the user asked for.`;
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
