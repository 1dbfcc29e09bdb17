import { contentOf } from '../../../../domain/checks/file-content.js';
import { list } from '../../../../domain/checks/text.js';
import { findComplaint } from '../../../../domain/diagnosis/complaint.js';
import { wornIn } from '../../../../domain/evidence/facts.js';
import { describeItems, describeLacking, describePlaces, toLines } from './differences.js';
import { describePlainly, type Observe, showWanted, toShortLine } from './words.js';

const published: Observe = ({ about = {} }) => ({
  text: `Ralph did not publish ${about.topic} for iteration ${about.iteration} by itself.`,
  direction: 'missing',
});

const fileText: Observe = (check, evidence) => {
  const { path = '', text = '' } = check.about ?? {};
  const content = contentOf(evidence, path);
  if (content.kind === 'absent') return { text: `There is no ${path}.`, direction: 'missing' };
  if (content.kind !== 'whole') return null;
  if (check.kind === 'fileContains') {
    const part = check.about?.pattern === undefined ? null : describeLacking(content.text, check);
    const complaint = isOutput(path) ? findComplaint(content.text) : null;
    const said = complaint === null ? '' : `; it has ${complaint.said}`;
    return {
      text: `${path} ${part?.text ?? `lacks ${showWanted(check)}`}${said}.`,
      direction: 'missing',
      ...(complaint === null ? {} : { complaint }),
    };
  }
  const difference = describeItems(toLines(content.text), toLines(text));
  return difference && { ...difference, text: `${path} differs: ${difference.text}.` };
};

/** Whether a file is the output of a program: what an agent wrote is no complaint of Ralph. */
function isOutput(path: string): boolean {
  return path.endsWith('.log');
}

const fileJson: Observe = (check, evidence) => {
  const { path = '', limit, text = '' } = check.about ?? {};
  if (contentOf(evidence, path).kind === 'absent')
    return { text: `There is no ${path}.`, direction: 'missing' };
  const place = describePlaces(check);
  if (place !== null)
    return {
      text: `In ${path} the record that comes closest differs: ${place.text}.`,
      direction: 'missing',
    };
  if (limit !== undefined) return null;
  return { text: `${path} has no record with ${toShortLine(text, 100)}.`, direction: 'missing' };
};

const fileTouched: Observe = ({ actual, about = {} }) => ({
  text: `${about.path} has what it must not have: ${toShortLine(actual)}.`,
  direction: 'excess',
});

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
    text: `The agent did not ${deed}${when}. Perhaps a prompt or an event before it differs.`,
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
  taskIs,
  toolUsed: agentDid,
  agentSaid: agentDid,
  eventEmitted: agentDid,
  hatCalledWith: hatCall,
  hatCalledWithout: hatCall,
};
