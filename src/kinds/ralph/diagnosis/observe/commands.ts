import * as z from 'zod';
import { findErrand } from '../../../../domain/checks/errands.js';
import { excerpt, quote } from '../../../../domain/checks/text.js';
import { readDocuments } from '../../../../domain/checks/wanted-json.js';
import { type Complaint, findComplaint } from '../../../../domain/diagnosis/complaint.js';
import type { ErrandRecord } from '../../../../domain/evidence/evidence.js';
import { describeItems, describeLacking, describePlaces, subtract } from './differences.js';
import { describeStored } from './stored.js';
import { MOST_TEXT, type Observe } from './words.js';

const errand: Observe = (check, evidence) => {
  const { about = {} } = check;
  const [args = ''] = about.names ?? [];
  const answer = findErrand(evidence, args);
  if (answer === undefined) return null;
  const { exitCode } = about;
  const complaint = findComplaint(`${answer.stderr}\n${answer.stdout}`, MOST_TEXT);
  if (exitCode === undefined || answer.exitCode === exitCode) {
    const places = describePlaces(check);
    const difference = places ?? describeLacking(`${answer.stdout}\n${answer.stderr}`, check);
    // What lacks something and exits as expected may warn of something else.
    const cause = difference === null || complaint?.isError === true ? complaint : null;
    const said = quoteAnswer(answer, cause);
    const how =
      places !== null
        ? `differs: ${places.text}`
        : difference === null
          ? `prints something else than expected: ${said ?? excerpt(answer.stdout, MOST_TEXT)}`
          : `${difference.text}${said === null ? '' : `; it prints ${said}`}`;
    const stored = describeStored(check, evidence);
    return {
      text: `"${args}" ${how}.${stored.text}`,
      direction: difference?.direction ?? 'other',
      ...(stored.isWrong ? { shown: args } : {}),
      ...(cause === null ? {} : { complaint: cause }),
    };
  }
  const how = exitCode !== 0 && answer.exitCode === 0 ? 'succeeds and must not' : 'fails';
  const cause = how === 'fails' || complaint?.isError === true ? complaint : null;
  const said = quoteAnswer(answer, cause);
  return {
    text: `"${args}" ${how}: exit code ${answer.exitCode}, expected ${exitCode}${said === null ? '' : `: ${said}`}.`,
    direction: how === 'fails' ? 'missing' : 'excess',
    ...(cause === null ? {} : { complaint: cause }),
  };
};

/** What a command printed, if that is short; of a long text only its complaint, or null. */
function quoteAnswer({ stdout, stderr }: ErrandRecord, complaint: Complaint | null): string | null {
  const text = [stdout, stderr].map((one) => one.trim()).find((one) => one !== '') ?? '';
  if (text === '') return 'nothing';
  if (text.length <= MOST_TEXT) return excerpt(text);
  return complaint?.said ?? null;
}

const memories: Observe = ({ about = {} }, evidence) => {
  const [args = ''] = about.names ?? [];
  const answer = findErrand(evidence, args);
  const [listed] = answer === undefined ? [] : readDocuments(answer.stdout);
  const contents = listedSchema.safeParse(listed ?? []);
  const wanted = about.texts ?? [];
  if (answer?.exitCode !== 0 || !contents.success) return null;
  // An empty list is a sentence, and no JSON.
  const found = contents.data.map(({ content }) => content);
  const difference = describeItems(found, wanted);
  if (difference === null) return null;
  const [lost] = subtract(wanted, found);
  const isWrong = lost !== undefined && !evidence.memories.some(({ content }) => content === lost);
  const stored = answer.when === 'after' && isWrong;
  return {
    ...difference,
    text: `"${args}" ${difference.text}.${stored ? ` The memories file has no ${quote(lost)} either.` : ''}`,
    ...(stored ? { shown: args } : {}),
  };
};

const listedSchema = z.array(z.object({ content: z.string() }));

/** Checks on what commands of Ralph printed. */
export const COMMAND_OBSERVERS: Readonly<Record<string, Observe>> = {
  errandAnswered: errand,
  memoriesListed: memories,
};
