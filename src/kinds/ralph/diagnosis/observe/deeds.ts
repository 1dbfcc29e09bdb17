import { findErrand } from '../../../../domain/checks/errands.js';
import { contentOf } from '../../../../domain/checks/file-content.js';
import { excerpt, list, quote } from '../../../../domain/checks/text.js';
import type { ErrandRecord } from '../../../../domain/evidence/evidence.js';
import { wornIn } from '../../../../domain/evidence/facts.js';
import { describePlainly, MOST_TEXT, type Observe, showWanted, subtract, toShortLine } from './words.js';

const published: Observe = ({ about = {} }) => ({
  text: `Ralph did not publish ${about.topic} for iteration ${about.iteration} by itself.`,
  direction: 'missing',
});

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
  return { text: `${path} has no record with ${toShortLine(about.text ?? '', 100)}.`, direction: 'missing' };
};

const fileTouched: Observe = ({ actual, about = {} }) => ({
  text: `${about.path} has what it must not have: ${toShortLine(actual)}.`,
  direction: 'excess',
});

const errand: Observe = ({ about = {} }, evidence) => {
  const [args = ''] = about.names ?? [];
  const answer = findErrand(evidence, args);
  if (answer === undefined) return null;
  const said = quoteAnswer(answer);
  const { exitCode } = about;
  if (exitCode === undefined || answer.exitCode === exitCode)
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
  const words = list((about.texts ?? []).map((text) => toShortLine(text, 60)));
  if (!iterations.some((iteration) => wornIn(iteration) === about.hat))
    return { text: `Hat ${about.hat} had no turn.`, direction: 'missing' };
  return kind === 'hatCalledWith'
    ? { text: `A call for hat ${about.hat} lacks the arguments ${words}.`, direction: 'missing' }
    : { text: `A call for hat ${about.hat} has the argument ${words}, and must not.`, direction: 'excess' };
};

const taskIs: Observe = (check) => ({ ...describePlainly(check), direction: 'missing' });

/** Checks on what commands, agents and Ralph did, and on the files that they left. */
export const DEED_OBSERVERS: Readonly<Record<string, Observe>> = {
  publishedByRalph: published,
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
