import type { CheckResult } from '../../../../domain/check.js';
import { findErrand } from '../../../../domain/checks/errands.js';
import { contentOf } from '../../../../domain/checks/file-content.js';
import { countNoun, excerpt, list, quote } from '../../../../domain/checks/text.js';
import { handedOn, hasWording } from '../../../../domain/diagnosis/check-facts.js';
import { wasReached } from '../../../../domain/diagnosis/clues.js';
import { firstDifference } from '../../../../domain/diagnosis/divergence.js';
import type { ErrandRecord, Evidence } from '../../../../domain/evidence/evidence.js';
import { countFinished, hatsWorn, pendingIn, promiseOf, wornIn } from '../../../../domain/evidence/facts.js';

/**
 * Which way a run went wrong. `missing`: something did not happen. `excess`: something happened that must not, or more
 * than expected. `early` and `late`: the loop ended too early or too late. `other`: the facts do not tell.
 */
export type Direction = 'missing' | 'excess' | 'early' | 'late' | 'other';

/** What a failed check shows, in one sentence: only what was seen and what was expected. */
export interface CheckObservation {
  readonly text: string;
  readonly direction: Direction;
}

type Observe = (check: CheckResult, evidence: Evidence) => CheckObservation | null;

/** Says what a failed check shows, and which way it differs from what is expected. */
export function observe(check: CheckResult, evidence: Evidence | null): CheckObservation {
  if (evidence === null) return describePlainly(check);
  if (!wasReached(check, evidence)) return describeUnreached(check, evidence);
  return OBSERVERS[check.kind]?.(check, evidence) ?? describePlainly(check);
}

/** Whether an observation says more than the two texts that reports print anyway. */
export function isTelling(check: CheckResult, evidence: Evidence): boolean {
  return !wasReached(check, evidence) || (OBSERVERS[check.kind]?.(check, evidence) ?? null) !== null;
}

const MOST_TEXT = 140;

/** What every check can say: the two texts that reports print, shortened. */
function describePlainly({ expected, actual }: CheckResult): CheckObservation {
  return { text: `Expected: ${shorten(expected)}. Received: ${shorten(actual)}.`, direction: 'other' };
}

function shorten(text: string, most = MOST_TEXT): string {
  const line = text.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** The loop was over before the iteration that the check looks at. */
function describeUnreached({ about = {} }: CheckResult, evidence: Evidence): CheckObservation {
  const end = describeEnd(evidence);
  return { text: `${end} The test expects an iteration ${about.iteration}.`, direction: 'early' };
}

/** Says when and why the loop ended. */
export function describeEnd({ iterations, termination }: Evidence): string {
  const last = iterations.at(-1);
  const when = last === undefined ? 'before its first iteration' : `after iteration ${last.number}`;
  return `The loop ended ${when} with ${termination?.reason ?? 'no recorded reason'}.`;
}

const promptWith: Observe = (check, { iterations }) => {
  const { about = {} } = check;
  const prompts = promptsIn(about.iteration, iterations);
  const where = about.iteration === undefined ? 'No prompt' : `The prompt of iteration ${about.iteration}`;
  if (prompts.length === 0) return null;
  const verb = about.iteration === undefined ? 'has' : 'lacks';
  return { text: `${where} ${verb} ${showWanted(check)}.`, direction: 'missing' };
};

const promptWithout: Observe = (check, { iterations }) => {
  const [found] = promptsIn(check.about?.iteration, iterations).filter(({ prompt }) =>
    hasWording(prompt ?? '', check),
  );
  if (found === undefined) return null;
  return {
    text: `The prompt of iteration ${found.number} has ${showWanted(check)}, and must not.`,
    direction: 'excess',
  };
};

function promptsIn(iteration: number | undefined, iterations: Evidence['iterations']) {
  return iterations.filter(
    ({ number, prompt }) => prompt !== null && (iteration === undefined || number === iteration),
  );
}

function showWanted({ about = {} }: CheckResult): string {
  if (about.pattern !== undefined) return shorten(about.pattern, 100);
  return quote(about.text ?? '', 80);
}

const toldTimes: Observe = (check, { iterations }) => {
  const limit = check.about?.limit ?? 0;
  const found = iterations.filter(({ prompt }) => prompt !== null && hasWording(prompt, check));
  const where = found.length === 0 ? '' : ` (iterations ${found.map(({ number }) => number).join(', ')})`;
  return {
    text: `${showWanted(check)} is in ${countNoun(found.length, 'prompt')}${where}; expected ${limit}.`,
    direction: found.length > limit ? 'excess' : 'missing',
  };
};

const toldOnlyTo: Observe = (check, { iterations }) => {
  const { hat } = check.about ?? {};
  const isOwn = (iteration: Evidence['iterations'][number]) => wornIn(iteration) === hat;
  const others = iterations.filter((one) => !isOwn(one) && hasWording(one.prompt ?? '', check));
  const own = iterations.filter((one) => isOwn(one) && !hasWording(one.prompt ?? '', check));
  const [first] = others.length > 0 ? others : own;
  if (first === undefined) return { text: `Hat ${hat} had no turn.`, direction: 'missing' };
  return others.length > 0
    ? {
        text: `The prompt of iteration ${first.number} (hat ${wornIn(first)}) has ${showWanted(check)}, which is for hat ${hat} only.`,
        direction: 'excess',
      }
    : {
        text: `The prompt of iteration ${first.number} (hat ${hat}) lacks ${showWanted(check)}.`,
        direction: 'missing',
      };
};

const pendingEvents: Observe = (check, evidence) => {
  const wanted = check.about?.topics ?? [];
  const prompts = evidence.iterations.flatMap(({ number }) => {
    const pending = pendingIn(evidence, number);
    const isAsked = check.about?.iteration === undefined || number === check.about.iteration;
    return pending === null || !isAsked ? [] : [{ number, topics: pending.map(({ topic }) => topic) }];
  });
  const overlap = (topics: readonly string[]) => wanted.length - subtract(wanted, topics).length;
  const [nearest] = prompts.toSorted((a, b) => overlap(b.topics) - overlap(a.topics));
  if (nearest === undefined) return null;
  if (prompts.length > 1 && overlap(nearest.topics) === 0) {
    const shown = prompts.map(({ topics }) => list(topics, 'nothing')).join(' | ');
    return { text: `No prompt has ${list(wanted)} pending: ${shorten(shown)}.`, direction: 'missing' };
  }
  const found = nearest.topics;
  const where = ` in iteration ${nearest.number}`;
  const extra = subtract(found, wanted);
  const lacking = subtract(wanted, found);
  const parts = [
    ...(lacking.length === 0 ? [] : [`${list(lacking.slice(0, 6))} missing`]),
    ...(extra.length === 0 ? [] : [`${list(extra.slice(0, 6))} too many`]),
    ...(lacking.length + extra.length > 0 ? [] : ['another order or another payload']),
  ];
  return {
    text: `Pending events${where} differ: ${parts.join(', ')}.`,
    direction: lacking.length > 0 ? 'missing' : extra.length > 0 ? 'excess' : 'other',
  };
};

/** What one list has more than another. */
function subtract(items: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return items.filter((item) => {
    const at = left.indexOf(item);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

const pendingAfter: Observe = (check, evidence) => {
  const [marker, wanted] = check.about?.topics ?? [];
  const [next] = handedOn(check, evidence);
  if (next === undefined || next === wanted || next === marker) return null;
  return { text: `After ${marker} Ralph hands on ${next}; expected ${wanted}.`, direction: 'other' };
};

const hatSequence: Observe = ({ about = {} }, evidence) => {
  const wanted = about.hats ?? [];
  const worn = hatsWorn(evidence);
  const at = firstDifference(wanted, worn);
  if (at !== null) {
    const number = evidence.iterations[at]?.number ?? at + 1;
    return { text: `Iteration ${number} has hat ${worn[at]}; expected ${wanted[at]}.`, direction: 'other' };
  }
  if (worn.length < wanted.length)
    return {
      text: `${describeEnd(evidence)} The test expects ${list(wanted.slice(worn.length))} after that.`,
      direction: 'early',
    };
  const more = countNoun(worn.length - wanted.length, 'iteration');
  return {
    text: `The loop went on for ${more} more than expected (${list(worn.slice(wanted.length).slice(0, 4))}).`,
    direction: 'late',
  };
};

const hatActive: Observe = ({ about = {} }, { iterations }) => {
  const turn = iterations.find(({ number }) => number === about.iteration);
  if (turn === undefined) return { text: `Hat ${about.hat} had no turn.`, direction: 'missing' };
  return {
    text: `Iteration ${turn.number} has hat ${wornIn(turn)}; expected ${about.hat}.`,
    direction: 'other',
  };
};

const hatNeverActive: Observe = ({ about = {} }, { iterations }) => {
  const turn = iterations.find((iteration) => wornIn(iteration) === about.hat);
  if (turn === undefined) return null;
  return { text: `Hat ${about.hat} had iteration ${turn.number}, and must have none.`, direction: 'excess' };
};

const published: Observe = ({ about = {} }) => ({
  text: `Ralph did not publish ${about.topic} for iteration ${about.iteration} by itself.`,
  direction: 'missing',
});

const counted: Observe = ({ about = {}, kind }, evidence) => {
  const finished = countFinished(evidence);
  const { limit = finished } = about;
  if (finished === limit) return null;
  const bound = BOUNDS[kind] ?? '';
  return {
    text: `The loop finished ${countNoun(finished, 'iteration')}; expected ${bound}${limit}.`,
    direction: finished > limit ? 'late' : 'early',
  };
};

const BOUNDS: Readonly<Record<string, string>> = {
  iterationsAtLeast: 'at least ',
  iterationsAtMost: 'at most ',
};

const ended: Observe = ({ about = {}, kind }, evidence) => {
  const reason = evidence.termination?.reason;
  if (
    kind === 'completed' &&
    reason === about.reason &&
    evidence.exit.kind === 'exited' &&
    evidence.exit.code === 0
  )
    return {
      text: 'The loop completed, and the agent had not declared completion in its last iteration.',
      direction: 'early',
    };
  if (reason === undefined || reason === about.reason) return null;
  return {
    text: `${describeEnd(evidence)} The test expects ${about.reason}.`,
    direction: about.reason === 'completed' && RUNS_OUT.has(reason) ? 'late' : 'other',
  };
};

/** Limits that a loop reaches if nothing else ends it. */
const RUNS_OUT: ReadonlySet<string> = new Set(['max_iterations', 'max_runtime']);

const endedAtOnce: Observe = (check, evidence) => {
  const { iterations } = evidence;
  const last = iterations.at(-1);
  const hasSign = check.about?.text !== undefined || check.about?.pattern !== undefined;
  const promise = promiseOf(evidence);
  const first = iterations.find(({ said }) =>
    hasSign ? hasWording(said, check) : said.trimEnd().split('\n').at(-1)?.trim() === promise,
  );
  if (first === undefined || last === undefined || first === last) return null;
  const deed = hasSign ? `said ${showWanted(check)}` : 'declared completion';
  return {
    text: `The agent ${deed} in iteration ${first.number}, and the loop went on to iteration ${last.number}.`,
    direction: 'late',
  };
};

const countedOn: Observe = ({ about = {} }, { iterations }) => {
  const first = iterations[0]?.number;
  if (first === undefined || first === about.limit) return null;
  return {
    text: `This run begins with iteration ${first}; expected ${about.limit}. The earlier session had another number of iterations, or they are counted on in another way.`,
    direction: 'other',
  };
};

const fileText: Observe = (check, evidence) => {
  const { path = '', text = '' } = check.about ?? {};
  const content = contentOf(evidence, path);
  if (content.kind === 'absent') return { text: `There is no ${path}.`, direction: 'missing' };
  if (content.kind !== 'whole') return null;
  if (check.kind === 'fileContains')
    return { text: `${path} lacks ${showWanted(check)}.`, direction: 'missing' };
  const wanted = text.trim().split('\n');
  const found = content.text.trim().split('\n');
  const lacking = subtract(wanted, found);
  const extra = subtract(found, wanted);
  if (lacking.length + extra.length === 0) return null;
  return {
    text: `${path} differs: ${[...showLines('lacks', lacking), ...showLines('has', extra)].join('; ')}.`,
    direction: extra.length === 0 ? 'missing' : lacking.length === 0 ? 'excess' : 'other',
  };
};

function showLines(verb: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, 2).map((line) => quote(line, 60));
  return [`${verb} ${list(shown)}${lines.length > 2 ? ` and ${lines.length - 2} more lines` : ''}`];
}

const fileJson: Observe = ({ about = {} }, evidence) => {
  const { path = '' } = about;
  if (contentOf(evidence, path).kind === 'absent')
    return { text: `There is no ${path}.`, direction: 'missing' };
  if (about.limit !== undefined) return null;
  return { text: `${path} has no record with ${shorten(about.text ?? '', 100)}.`, direction: 'missing' };
};

const fileTouched: Observe = ({ actual, about = {} }) => ({
  text: `${about.path} has what it must not have: ${shorten(actual)}.`,
  direction: 'excess',
});

const errand: Observe = ({ about = {} }, evidence) => {
  const [args = ''] = about.names ?? [];
  const answer = findErrand(evidence, args);
  if (answer === undefined) return null;
  const said = quoteAnswer(answer);
  const { exitCode = 0 } = about;
  if (answer.exitCode === exitCode)
    return { text: `"${args}" prints something else than expected${said}.`, direction: 'other' };
  const how = exitCode !== 0 && answer.exitCode === 0 ? 'succeeds and must not' : 'fails';
  return {
    text: `"${args}" ${how}: exit code ${answer.exitCode}, expected ${exitCode}${said}.`,
    direction: how === 'fails' ? 'missing' : 'excess',
  };
};

/** What a command printed, if that is short; of a long text only its error. */
function quoteAnswer({ stdout, stderr }: ErrandRecord): string {
  const text = [stdout, stderr].map((one) => one.trim()).find((one) => one !== '') ?? '';
  if (text === '') return ': nothing';
  if (text.length <= MOST_TEXT) return `: ${excerpt(text)}`;
  const trouble = `${stderr}\n${stdout}`.split('\n').find((line) => /^\s*(?:\w+ )?error\b/i.test(line));
  return trouble === undefined ? '' : `: ${excerpt(trouble, MOST_TEXT)}`;
}

const agentDid: Observe = (check) => {
  const { about = {} } = check;
  const words = about.text === undefined && about.pattern === undefined ? '' : ` with ${showWanted(check)}`;
  const deeds: Readonly<Record<string, string>> = {
    toolUsed: `call ${about.tool}${words}`,
    agentSaid: `say ${showWanted(check)}`,
    eventEmitted: `emit ${about.topic}${words}`,
  };
  const deed = deeds[check.kind];
  if (deed === undefined) return null;
  const when = about.iteration === undefined ? '' : ` in iteration ${about.iteration}`;
  return {
    text: `The agent did not ${deed}${when}. It follows its script, so a prompt or an event before it differs.`,
    direction: 'missing',
  };
};

const hatCall: Observe = ({ about = {}, kind }, { iterations }) => {
  const words = list((about.texts ?? []).map((text) => shorten(text, 60)));
  if (!iterations.some((iteration) => wornIn(iteration) === about.hat))
    return { text: `Hat ${about.hat} had no turn.`, direction: 'missing' };
  return kind === 'hatCalledWith'
    ? { text: `A call for hat ${about.hat} lacks the arguments ${words}.`, direction: 'missing' }
    : { text: `A call for hat ${about.hat} has the argument ${words}, and must not.`, direction: 'excess' };
};

const taskIs: Observe = (check) => ({ ...describePlainly(check), direction: 'missing' });

const OBSERVERS: Readonly<Record<string, Observe>> = {
  promptContained: promptWith,
  memoryInjected: promptWith,
  promptLacked: promptWithout,
  keptOutOfPrompt: promptWithout,
  toldToNobody: promptWithout,
  toldTimes,
  toldOnlyTo,
  pendingEvents,
  pendingAfter,
  hatSequence,
  hatActive,
  hatNeverActive,
  publishedByRalph: published,
  iterationCount: counted,
  iterationsAtLeast: counted,
  iterationsAtMost: counted,
  completed: ended,
  terminatedBecause: ended,
  endedAtOnce,
  countsOnFrom: countedOn,
  fileEquals: fileText,
  fileContains: fileText,
  fileHasJson: fileJson,
  fileLacks: fileTouched,
  fileUntouched: fileTouched,
  errandAnswered: errand,
  taskIs,
  toolUsed: agentDid,
  agentSaid: agentDid,
  eventEmitted: agentDid,
  hatCalledWith: hatCall,
  hatCalledWithout: hatCall,
};
