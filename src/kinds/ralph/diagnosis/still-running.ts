import { contentOf } from '../../../domain/checks/file-content.js';
import { excerpt } from '../../../domain/checks/text.js';
import { quoteCheck, quoteEnd, quoteLog, unansweredPrompts } from '../../../domain/diagnosis/clues.js';
import type { DiagnosisRule } from '../../../domain/diagnosis/rule.js';
import type { Evidence, LogLine } from '../../../domain/evidence/evidence.js';
import { isFinished } from '../../../domain/evidence/facts.js';
import { listByCause, listPlaces, promisesOf, quotePromises } from './lead.js';

/** The last lines of Ralph's log that tell what it was doing. */
const LAST_LINES = 4;

/** A script plays the agent and answers at once, so a loop that does not end waits for something, or does not see it. */
export const stillRunning: DiagnosisRule = {
  name: 'still-running',
  type: 'TimeoutExceeded',
  blames: 'target',
  find: (failure) => {
    const { evidence, run } = failure;
    if (evidence?.exit.kind !== 'timed-out' || unansweredPrompts(evidence).length > 0) return null;
    const logged = (evidence.log ?? []).slice(-LAST_LINES);
    const text = `Ralph was still running after ${evidence.exit.afterSeconds} s: ${describeMoment(evidence, run.agentIsHonest)}${describeWait(evidence)}`;
    const area =
      describeSuspension(evidence) !== '' ? 'hooks' : describeQuestion(evidence) !== '' ? 'human' : null;
    const promises = promisesOf(listByCause(failure), area);
    return {
      // A model may just be slow.
      blames: run.agentIsHonest || isRalphsTurn(evidence) ? 'target' : 'unknown',
      hypothesis: [text, ...quotePromises(promises)].join(' '),
      promises,
      evidence: [
        ...listByCause(failure).slice(0, 3).map(quoteCheck),
        ...quoteLog({ ...evidence, log: logged }),
        ...quoteEnd(evidence.stdout, 2),
      ],
      investigations: [
        'Read the last lines of the log: what does Ralph wait for, or why does it not stop?',
        ...listPlaces(promises),
      ],
    };
  },
};

/** Which iteration it was, and whether the agent had finished. A CLI that prints plain text does not tell. */
function describeMoment({ iterations, invocations, requests }: Evidence, isScript: boolean): string {
  const last = iterations.at(-1);
  if (last === undefined) return 'no iteration had begun.';
  if (isFinished(last)) return `iteration ${last.number} was over, and no other had begun.`;
  const where = `in iteration ${last.number}`;
  const { said, toolCalls, cli } = last;
  const isMute = said === '' && toolCalls.length === 0 && (cli ?? null) === null;
  // Only the calls of a script are recorded.
  if (isScript && isMute && invocations.length + requests.length === 0)
    return `${where}, and the agent had not been called.`;
  const open = toolCalls.find(({ result }) => result === null);
  if (open !== undefined)
    return `${where}, and a command that the agent ran had not ended: ${excerpt(open.input, 120)}.`;
  return cli?.whole === true ? `${where}, and the agent's call had ended.` : `${where}.`;
}

/** Whether Ralph, and not the agent, had to go on. */
function isRalphsTurn(evidence: Evidence): boolean {
  const last = evidence.iterations.at(-1);
  return (
    last === undefined || isFinished(last) || last.cli?.whole === true || describeSuspension(evidence) !== ''
  );
}

/** What Ralph waits for, if its files or its log say so, and what it logged last. */
function describeWait(evidence: Evidence): string {
  const last = evidence.log?.at(-1);
  const wait = describeSuspension(evidence) || describeQuestion(evidence);
  if (wait !== '') return wait;
  return last === undefined ? '' : ` It logged last: ${excerpt(withoutFields(last), 160)}.`;
}

function describeSuspension(evidence: Evidence): string {
  const file = contentOf(evidence, '.ralph/suspend-state.json');
  const last = evidence.log?.at(-1)?.text ?? '';
  const record = file.kind === 'whole' ? file.text : /\bsuspend(?:ed)?\b/i.test(last) ? last : '';
  const [hook, phase] = ['hook_name', 'phase_event'].map((name) => readField(record, name));
  if (hook === undefined) return '';
  return ` Hook ${hook} suspended it${phase === undefined ? '' : ` at ${phase}`}, and it waits to be resumed.`;
}

/** Reads a field of a JSON record or of a log line: `"hook_name": "x"` or `hook_name="x"`. */
function readField(text: string, name: string): string | undefined {
  return new RegExp(`\\b${name}"?\\s*[:=]\\s*"?([^"\\s,}]+)`).exec(text)?.[1];
}

const ANSWERS: ReadonlySet<string> = new Set(['human.response', 'human.timeout']);

function describeQuestion({ events }: Evidence): string {
  const asked = events.findLastIndex(({ topic }) => topic === 'human.interact');
  if (asked === -1 || events.slice(asked).some(({ topic }) => ANSWERS.has(topic))) return '';
  return ' The agent asked a question (human.interact), and no answer was recorded.';
}

function withoutFields({ text }: LogLine): string {
  return text.replace(/(?<= )\w{1,40}="[^"]{0,400}"/g, '').trim();
}
