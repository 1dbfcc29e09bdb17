import { arranging } from '../../support/arrangement-changes.js';
import { questionsOnly } from '../../support/commands.js';
import { answersOf, askAll, asks, textWithout } from '../../support/inquiries.js';
import { remembering } from '../../support/memory.js';
import { planning, taskId } from '../tasks/stored.js';

/** Letters of two bytes each. A table counts letters, so this many fit into a column of that width. */
const wide = (width: number) => 'ü'.repeat(width);
/** What a column shows of a text that is one letter too long. */
const cut = (width: number) => `${wide(width - 3)}\\.\\.\\.`;

const TASKS = planning({ id: taskId(11), title: wide(60) }, { id: taskId(12), title: wide(61) });
const TEN = Array.from({ length: 10 }, (_, number) => ({ content: `Ten ${number}`, tags: ['ten'] }));
const MEMORIES = remembering(
  ...[{ content: wide(50), tags: [wide(16)] }, { content: wide(51), tags: [wide(17)] }, ...TEN].map(
    (memory, number) => ({ id: `mem-17000000${number + 10}-aaaa`, type: 'fix' as const, ...memory }),
  ),
);
const event = (width: number, seconds: string) => ({
  ts: `2026-01-31T08:00:${seconds}Z`,
  ...{ iteration: 1, hat: wide(width - 27), topic: wide(width - 22), payload: wide(width) },
});
/** The last letter of the second time is the first one that is too much, and half a letter before that. */
const EVENTS = [event(40, '01'), event(41, '0é')].map((one) => `${JSON.stringify(one)}\n`).join('');

const ID_BYTES = 'mem-1700000010-aaaa\n'.length;
/** A token has four bytes. */
const ALL = ((TEN.length + 2) * ID_BYTES) / 4;

const QUESTIONS = {
  title: asks('tools task list', { stdout: new RegExp(` ${wide(60)} -`) }),
  titleCut: asks('tools task list', { stdout: new RegExp(` ${cut(60)} -`) }),
  ready: asks('tools task ready', { stdout: new RegExp(` ${wide(60)} -[\\s\\S]* ${cut(60)} -`) }),
  memory: asks('tools memory list', { stdout: new RegExp(`\\| ${wide(16)} \\| ${wide(50)}$`, 'm') }),
  memoryCut: asks('tools memory list', { stdout: new RegExp(`\\| ${cut(16)} \\| ${cut(50)}$`, 'm') }),
  event: asks('events --file text.jsonl', {
    stdout: new RegExp(`08:00:01 \\| +1 \\| ${wide(13)} \\| ${wide(18)} \\| - +\\| ${wide(40)}$`, 'm'),
  }),
  eventCut: asks('events --file text.jsonl', {
    stdout: new RegExp(`08:00:0 +\\| +1 \\| ${cut(13)} \\| ${cut(18)} \\| - +\\| ${cut(40)}$`, 'm'),
  }),
  ten: asks('tools memory search Ten', { stdout: /\(10 of 12 memories\)[\s\S]*^ 10 \|/m }),
  noMore: asks('tools memory search Ten', { stdout: textWithout('--all', 'more') }),
  budget: asks(`tools memory prime --format quiet --budget ${ALL}`, { stdout: /^(?:mem-\d+-aaaa\n){12}$/ }),
  overBudget: asks(`tools memory prime --format quiet --budget ${ALL - 1}`, {
    stdout: new RegExp(`^(?:mem-\\d+-aaaa\\n){11}mem-\\d+-a\\n\\n<!-- truncated: budget ${ALL - 1} `),
  }),
};

/** Text of just the width of its column, and one letter longer; lists of just the limit, and one longer. */
export const textInTables = questionsOnly({
  id: 'text-in-tables',
  description:
    'Tables show what fits and cut the rest between letters of several bytes; limits include their last number',
  covers: ['FR12'],

  plan: {
    files: { ...TASKS, ...MEMORIES, 'text.jsonl': EVENTS },
    before: askAll(QUESTIONS),
  },

  answers: answersOf(QUESTIONS),

  saboteurs: {
    'nothing is stored': {
      config: arranging({ files: {} }),
      kills: ['title', 'ready', 'memory', 'memoryCut', 'event', 'eventCut', 'ten', 'budget', 'overBudget'],
    },
    'all titles are too long': {
      config: arranging({
        files: { ...planning({ id: taskId(12), title: wide(61) }), ...MEMORIES, 'text.jsonl': EVENTS },
      }),
      kills: ['title', 'ready'],
    },
    'all titles fit': {
      config: arranging({
        files: { ...planning({ id: taskId(11), title: wide(60) }), ...MEMORIES, 'text.jsonl': EVENTS },
      }),
      kills: ['titleCut', 'ready'],
    },
    'the harness asks nothing': { config: arranging({ before: [] }), kills: ['noMore'] },
  },
});
