import type { CheckResult, Difference } from '../../../domain/check.js';
import { findErrand } from '../../../domain/checks/errands.js';
import { contentOf } from '../../../domain/checks/file-content.js';
import { list, quote, quoteBeside, toLine } from '../../../domain/checks/text.js';
import { awaitedEvent, describeCheck, topicsOf } from '../../../domain/diagnosis/check-facts.js';
import { confirmedEmits, wasReached } from '../../../domain/diagnosis/clues.js';
import { type Complaint, findComplaint, findPanic } from '../../../domain/diagnosis/complaint.js';
import { firstDifference } from '../../../domain/diagnosis/divergence.js';
import type { Evidence, Iteration } from '../../../domain/evidence/evidence.js';
import { hatsWorn, pendingIn, topicsSeen, wornIn } from '../../../domain/evidence/facts.js';
import { expectHats, hatsFor, triggersHat, viewRun } from '../../../domain/evidence/run-view.js';

/** What a failed check shows, in sentences: what Ralph itself complains of, and where what it did parts from what was expected. */
export interface Observation {
  readonly text: string;
  readonly complaint: Complaint | null;
  /** Whether an iteration has another hat than its pending events ask for. */
  readonly isMisrouted: boolean;
}

const MOST_TEXT = 140;
/** The most differences that a sentence names. */
const SHOWN = 2;

/** `all` are the checks of the test: a command that one of them wants to fail is not news. */
export function observe(
  check: CheckResult,
  evidence: Evidence | null,
  all: readonly CheckResult[] = [check],
): Observation {
  if (evidence === null) return { text: describeCheck(check), complaint: null, isMisrouted: false };
  if (!wasReached(check, evidence)) {
    const text = `${describeEnd(evidence)} The test expects an iteration ${check.about?.iteration}.`;
    return { text, complaint: null, isMisrouted: false };
  }
  const complaint = complaintIn(check, evidence) ?? complaintElsewhere(check, evidence, all);
  const said = complaint === null ? [] : [describeComplaint(complaint)];
  const routing = describeRouting(check, evidence);
  // These say by themselves what happened; the check is in the list below.
  const deeds = [describeRecords(check, evidence), describeCompletion(check, evidence), routing].filter(
    (one) => one !== '',
  );
  const claim = [
    describeCheck(check),
    describePlaces(check) || describeLacking(check, evidence),
    describeTurn(check, evidence),
  ].filter((one) => one !== '');
  return {
    text: [...said, ...(deeds.length > 0 ? deeds : claim)].join(' '),
    complaint,
    isMisrouted: routing !== '',
  };
}

/** The end of a loop comes in our words; everything else is quoted. */
function describeComplaint({ said }: Complaint): string {
  return said.startsWith('the loop ended')
    ? `The command's ${said.slice('the '.length)}.`
    : `Ralph says ${said}.`;
}

/** Says when and why the loop ended. */
export function describeEnd({ iterations, termination }: Evidence): string {
  const last = iterations.at(-1);
  const when = last === undefined ? 'before its first iteration' : `after iteration ${last.number}`;
  return `The loop ended ${when} with ${termination?.reason ?? 'no recorded reason'}.`;
}

/** What Ralph complained of where the check looks: in the answer of a command, or in the log of another program. */
function complaintIn({ kind, about = {} }: CheckResult, evidence: Evidence): Complaint | null {
  if (kind === 'fileContains' && about.path?.endsWith('.log')) {
    const content = contentOf(evidence, about.path);
    return content.kind === 'whole' ? findComplaint(content.text, MOST_TEXT) : null;
  }
  const answer = kind === 'errandAnswered' ? findErrand(evidence, about.names?.[0] ?? '') : undefined;
  if (answer === undefined || isGits(answer.command)) return null;
  const complaint = findComplaint(`${answer.stderr}\n${answer.stdout}`, MOST_TEXT);
  // A command that succeeds may warn of something else, and one that must fail says why.
  return complaint?.isError === true || (answer.exitCode !== 0 && about.exitCode === 0) ? complaint : null;
}

/** Whether what a command says is git's. Scripts that run Ralph are aliases of git. */
function isGits([program, ...args]: readonly string[]): boolean {
  return program === 'git' && !args.some((word) => /^alias\.\w+=!/.test(word));
}

/** What Ralph refused or complained of elsewhere in the test, without a check that wants it. */
function complaintElsewhere(
  check: CheckResult,
  evidence: Evidence,
  all: readonly CheckResult[],
): Complaint | null {
  const { errands, stderr, iterations } = evidence;
  const wanted = new Set(
    all.flatMap(({ kind, about = {} }) =>
      kind === 'errandAnswered' ? [`${about.names?.[0]} ${about.exitCode}`] : [],
    ),
  );
  const areSessionsFine = all.some(({ kind, passed }) => kind === 'earlierSessionEnded' && passed);
  const ofRalph = errands.filter(
    ({ when, command }) =>
      !isGits(command) && !(areSessionsFine && when === 'before' && command[1] === 'run'),
  );
  const refused = ofRalph.flatMap(({ command, exitCode, stdout, stderr: said }) => {
    const isWanted = [command, command.slice(1)].some((words) =>
      wanted.has(`${words.join(' ')} ${exitCode}`),
    );
    const found = exitCode === 0 || isWanted ? null : findComplaint(`${said}\n${stdout}`, MOST_TEXT);
    return found?.isError === true ? [found] : [];
  });
  // What the agent made depends on what its calls were answered.
  const [answered] = iterations
    .filter(({ number }) => (check.about?.iteration ?? number) === number)
    .flatMap(({ toolCalls }) => (check.judges === 'agent' ? toolCalls : []))
    .filter(({ input, isError }) => isError && RUNS_RALPH.test(input))
    .flatMap(({ result }) => findComplaint(result ?? '', MOST_TEXT) ?? []);
  return findPanic(stderr.text, MOST_TEXT) ?? refused[0] ?? answered ?? null;
}

/** The input of a tool call that runs Ralph: its name or path, or the variable that agents have, where a command begins. */
const RUNS_RALPH =
  /(?:^|(?<!\\)"|[;&|(]|\\n)\s{0,9}(?:\w{1,40}=\S{0,200}\s{1,9}){0,5}(?:(?:[^\s"';&|(]{0,200}\/)?ralph|(?:\\")?\$\{?RALPH_BIN\}?(?:\\")?)\s/;

/** Names the places of a JSON document, or the lines of a file, that differ. */
function describePlaces({ differences = [], diff }: CheckResult): string {
  if (differences.length > 0) return `It ${joinFirst(differences.map(showPlace), '; ')}.`;
  const lines = (diff ?? '').split('\n').filter((line) => !/^(?:---|\+\+\+)/.test(line));
  const [lacking, extra] = ['-', '+'].map((sign) =>
    lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)),
  );
  const parts = [...showLines('lacks', lacking, extra), ...showLines('has', extra, lacking)];
  return parts.length === 0 ? '' : `It ${parts.join('; ')}.`;
}

function showPlace({ path, wanted, found }: Difference): string {
  const at = path === '' ? '' : ` in ${path}`;
  if (wanted === null) return `has ${found}${at}, and must not`;
  if (found === null) return path === '' ? `lacks ${wanted}` : `lacks ${path}, expected ${wanted}`;
  return path === '' ? `has ${found}; expected ${wanted}` : `has ${found} in ${path}, expected ${wanted}`;
}

/**
 * Names the words of a pattern, or the lines of a text, that a file, a prompt, or what a command printed lacks: the sentences
 * above may have cut them.
 */
function describeLacking(check: CheckResult, evidence: Evidence): string {
  const { pattern, text: sought = '' } = check.about ?? {};
  const text = textOf(check, evidence);
  const lines = sought.split('\n').filter((line) => line.trim() !== '');
  // A text of one line is in the sentence already.
  const required = pattern !== undefined ? requiredWords(pattern) : lines.length > 1 ? lines : [];
  const lacking = text === null ? [] : required.filter((one) => !text.includes(one));
  return lacking.length === 0 ? '' : `It ${showLines('lacks', lacking).join('')}.`;
}

/** The text that a check looks at; null if there is none, or it is not known. */
function textOf({ kind, about = {} }: CheckResult, evidence: Evidence): string | null {
  switch (kind) {
    case 'errandAnswered': {
      const answer = findErrand(evidence, about.names?.[0] ?? '');
      return answer === undefined ? null : `${answer.stdout}\n${answer.stderr}`;
    }
    case 'fileContains': {
      const content = contentOf(evidence, about.path ?? '');
      return content.kind === 'whole' ? content.text : null;
    }
    case 'promptContained':
      return evidence.iterations.find(({ number }) => number === about.iteration)?.prompt ?? null;
    // What is in one prompt too few may be in others: then no words are lacking.
    case 'toldTimes':
      return evidence.iterations.map(({ prompt }) => prompt ?? '').join('\n');
    default:
      return null;
  }
}

/** Says where a sequence of hats parts from what is expected. */
function describeTurn({ about: { hats } = {} }: CheckResult, evidence: Evidence): string {
  const at = hats === undefined ? null : firstDifference(hats, hatsWorn(evidence));
  return at === null ? '' : `They part in iteration ${evidence.iterations[at]?.number ?? at + 1}.`;
}

/** Says which required events a loop that completed lacks. */
function describeCompletion({ category }: CheckResult, evidence: Evidence): string {
  if (category !== 'TerminationReason' && category !== 'IterationCount') return '';
  if (evidence.termination?.reason !== 'completed' || evidence.cut !== undefined) return '';
  const seen = topicsSeen(evidence);
  const missing = (viewRun(evidence)?.requiredEvents ?? []).filter((topic) => !seen.has(topic));
  return missing.length === 0 ? '' : `Ralph completed without required events: ${list(missing)}.`;
}

/** What one text has and the other lacks in the same place is often the same line, changed. */
function showLines(verb: string, lines: readonly string[] = [], beside: readonly string[] = []): string[] {
  const shown = lines.map((line, at) => quoteBeside(line, beside[at] ?? '', 60));
  return lines.length === 0 ? [] : [`${verb} ${joinFirst(shown, ', ')}`];
}

function joinFirst(parts: readonly string[], separator: string): string {
  const more = parts.length > SHOWN ? ` and ${parts.length - SHOWN} more` : '';
  return `${parts.slice(0, SHOWN).join(separator)}${more}`;
}

/** Says what became of events that a prompt lacks, if an agent published them. */
function describeRecords(check: CheckResult, evidence: Evidence): string {
  const [lost] = lostEmits(check, evidence);
  if (lost !== undefined) return `Ralph confirmed ${lost}, but the events file does not have it.`;
  const handedOn = evidence.iterations.flatMap(({ number }) =>
    (pendingIn(evidence, number) ?? []).map((event) => ({ ...event, number })),
  );
  const other = handedOn.find(({ topic }) => topic === awaitedEvent(check)?.topic);
  if (other !== undefined)
    return `The prompt of iteration ${other.number} has ${other.topic} with the payload ${quote(other.payload)}.`;
  const recorded = wantedTopics(check).find(
    (topic) =>
      evidence.events.some((event) => event.topic === topic) &&
      !handedOn.some((event) => event.topic === topic),
  );
  return recorded === undefined ? '' : `The events file has ${recorded}, and no prompt has it.`;
}

/** The events that a check wants in a prompt, and that Ralph confirmed and did not record. */
export function lostEmits(check: CheckResult, evidence: Evidence): string[] {
  const confirmed = confirmedEmits(evidence).map(({ topic }) => topic);
  const recorded = evidence.events.map(({ topic }) => topic);
  return wantedTopics(check).filter((topic) => confirmed.includes(topic) && !recorded.includes(topic));
}

function wantedTopics(check: CheckResult): readonly string[] {
  if (check.category !== 'PromptContent') return [];
  const awaited = awaitedEvent(check);
  return awaited === null ? topicsOf(check) : [awaited.topic];
}

/**
 * Says which pending event should have activated which hat, if the iteration that the check looks at has another hat. It
 * is computed from the prompt and the configuration alone. Empty if nothing is wrong, or not enough is known.
 */
function describeRouting(check: CheckResult, evidence: Evidence): string {
  const iteration = findTurn(check, evidence);
  const view = viewRun(evidence);
  const pending = iteration === undefined ? null : pendingIn(evidence, iteration.number);
  // A hat that has used up its activations gets no more: then other hats than the triggers say are right.
  if (!iteration || !view?.knowsRouting || !pending || /max_activations/.test(evidence.configYaml)) return '';
  const topics = [...new Set(pending.map(({ topic }) => topic))];
  const expected = expectHats(topics, view);
  const worn = wornIn(iteration);
  const idle = view.hats.find(({ id, instructions }) => {
    const isTold = toLine(iteration.prompt ?? '').includes(toLine(instructions));
    return expected.includes(id) && id !== worn && !isTold;
  });
  if (idle !== undefined) {
    const topic = topics.find((one) => hatsFor(one, view)[0] === idle.id) ?? '';
    return `${topic} is pending and triggers ${idle.id} (${list(idle.triggers)}), but ${idle.id} is not active.`;
  }
  const active = view.hats.find(({ id }) => id === worn);
  if (active === undefined || topics.length === 0 || topics.some((topic) => triggersHat(active, topic)))
    return '';
  return `None of the pending events (${list(topics.slice(0, 4))}) triggers ${worn}, which is active.`;
}

function findTurn({ about = {}, category }: CheckResult, evidence: Evidence): Iteration | undefined {
  if (category !== 'PromptContent' && category !== 'EventEmitted') return undefined;
  const at = about.hats === undefined ? null : firstDifference(about.hats, hatsWorn(evidence));
  if (at !== null) return evidence.iterations[at];
  return evidence.iterations.find(({ number }) => number === about.iteration);
}

/** The shortest words that say something on their own. */
const FEWEST_LETTERS = 3;

/**
 * The words that every match of a pattern has: what it spells out outside of groups. A pattern with alternatives, or one
 * that ignores case, requires none.
 */
function requiredWords(pattern: string): string[] {
  const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(pattern) ?? [];
  const parts = [...source.matchAll(PART)].map(([part]) => part);
  const spelled: string[] = [];
  let depth = 0;
  for (const [index, part] of parts.entries()) {
    if (part.startsWith('(')) depth += 1;
    const isCounted = COUNTED.test(parts[index + 1] ?? '');
    const letter = depth > 0 || isCounted ? null : spellOut(part);
    if (letter === null) spelled.push('');
    else spelled.push(`${spelled.pop() ?? ''}${letter}`);
    if (part === ')') depth -= 1;
    if (part === '|' && depth === 0) return [];
  }
  const words = spelled
    .flatMap((one) => one.split('\n').map((line) => line.trim()))
    .filter((one) => one.length >= FEWEST_LETTERS);
  return flags.includes('i') ? [] : words;
}

/** The parts of a pattern: classes, beginnings of groups, counts, escapes and single characters. */
const PART =
  /\[(?:\\.|[^[\]\\])*\]|\(\?(?:<?[=!]|:|<\w{1,40}>)|\{\d{1,9},?\d{0,9}\}\??|\\[ux][0-9a-fA-F]{1,8}|\\.|[\s\S]/g;
/** What says that the part before it may be missing or come again. */
const COUNTED = /^(?:[*?]|\{\d)/;

function spellOut(part: string): string | null {
  if (part === '\\n') return '\n';
  if (/^\\[^\w]$/.test(part)) return part.slice(1);
  return part.length === 1 && !/[\^$.*+?()|[\]\\{}]/.test(part) ? part : null;
}
