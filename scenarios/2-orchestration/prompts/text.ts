import {
  type Check,
  completed,
  errandAnswered,
  fileContains,
  loop,
  onEvent,
  onObjective,
  promptContained,
  scenario,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { neverCompletes } from '../../support/saboteurs.js';

/** A text with a letter of two bytes across the limit. What Ralph keeps of it ends before that letter. */
const across = (letter: string, limit: number) => `${letter.repeat(limit - 1)}é and more`;

const NOTES_LIMIT = 16_000;
/** One byte too much, and that is half a letter: of notes, Ralph keeps the end, and begins with a whole line. */
const NOTES = `é is the first letter\n`.padEnd(NOTES_LIMIT, 'n');
const PAYLOAD_LIMIT = 500;
const LINE_LIMIT = 100;
const HANDOFF_LIMIT = 500;

/** Loops that complete at once: their objective is in the handoff. */
const OBJECTIVES = { cut: across('o', HANDOFF_LIMIT), whole: 'w'.repeat(HANDOFF_LIMIT) };
const DONE = JSON.stringify({
  cli: { backend: 'custom', command: '../done.sh', prompt_mode: 'stdin' },
  event_loop: { max_iterations: 3 },
});
const SCRIPT = `cat notes.txt > .ralph/agent/scratchpad.md
cat lines.txt >> "$RALPH_EVENTS_FILE"
for folder in cut whole; do
  (cd $folder && ralph run -c ../done.yml --no-tui -P prompt.md > run.log 2>&1)
done
`;
const eventsOf = (topic: string) => `events --topic ${topic} --format json`;

/** Where Ralph cuts what goes into prompts, records and the handoff. */
export const textAcrossLimits = scenario({
  id: 'text-across-limits',
  ...MECHANICS,
  description:
    'Notes, payloads, broken lines and the objective are cut before a letter of several bytes; what just fits is whole',
  covers: ['FR5', 'FR6'],
  expectedIterations: 2,

  arrange: () => ({
    config: loop({ maxIterations: 4 }),
    files: {
      'text.sh': SCRIPT,
      'notes.txt': NOTES,
      'lines.txt': `${across('l', LINE_LIMIT)}\n${'m'.repeat(LINE_LIMIT)}\n`,
      'done.yml': DONE,
      'done.sh': { content: '#!/bin/sh\ncat > /dev/null\necho LOOP_COMPLETE\n', mode: 0o755 },
      'cut/prompt.md': OBJECTIVES.cut,
      'whole/prompt.md': OBJECTIVES.whole,
    },
    prompt: 'Run `sh text.sh`, and publish two long events. Then complete.',
    after: [eventsOf('long.cut'), eventsOf('long.whole')].map((words) => ({ ralph: words.split(' ') })),
  }),

  expect: () => ({
    ends: completed(),
    notes: promptContained(/<!-- earlier content truncated \(\d+ chars omitted\) -->\n\nn+\n<\/scratchpad>/),
    line: promptContained(new RegExp(`^Content: l{${LINE_LIMIT - 1}}\\.\\.\\.$`, 'm')),
    wholeLine: promptContained(new RegExp(`^Content: m{${LINE_LIMIT}}$`, 'm')),
    payload: errandAnswered(eventsOf('long.cut'), {
      stdout: new RegExp(
        `"p{${PAYLOAD_LIMIT - 1}}\\.\\.\\. \\[truncated, ${PAYLOAD_LIMIT + 9} chars total\\]"`,
      ),
    }),
    wholePayload: errandAnswered(eventsOf('long.whole'), { stdout: new RegExp(`"q{${PAYLOAD_LIMIT}}"`) }),
    objective: handoffHas('cut', `o{${HANDOFF_LIMIT - 1}}\\.\\.\\.`),
    wholeObjective: handoffHas('whole', `w{${HANDOFF_LIMIT}}`),
  }),

  agent: [
    onEvent('long.whole').completes(),
    onObjective('sh text.sh')
      .runs('sh text.sh')
      .emits('long.cut', across('p', PAYLOAD_LIMIT), 'tag')
      .emits('long.whole', 'q'.repeat(PAYLOAD_LIMIT), 'tag'),
  ],

  exempt: { 'longer-payload': 'what is cut depends on the length of the payload' },

  saboteurs: {
    'does everything but never completes': neverCompletes('ends'),
    'writes and runs nothing': {
      agent: replacing('sh text.sh', 'true'),
      kills: ['notes', 'line', 'wholeLine', 'objective', 'wholeObjective'],
    },
    'its payloads are short': {
      agent: [
        onEvent('long.whole').completes(),
        onObjective('sh text.sh').runs('sh text.sh').emits('long.whole', 'q', 'tag'),
      ],
      kills: ['payload', 'wholePayload'],
    },
  },
});

function handoffHas(folder: string, objective: string): Check {
  return fileContains(
    `${folder}/.ralph/agent/handoff.md`,
    new RegExp(`^\`\`\`\\n${objective}\\n\`\`\`$`, 'm'),
  );
}
