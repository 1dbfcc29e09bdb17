import {
  completed,
  fileContains,
  iterationCount,
  loop,
  onEvent,
  onObjective,
  promptContained,
  promptLacked,
  type Scenario,
  scenario,
} from '../../../src/authoring.js';
import { replacing } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { MECHANICS } from '../../support/commands.js';
import { ONLY_PROMPTS } from '../../support/prompt-parts.js';
import { neverCompletes, noBuiltIns } from '../../support/saboteurs.js';

/* How much Ralph puts into prompts, and how it passes long ones on. */

const BUDGET = 16_000;
const LINE = 100;
const LINES = BUDGET / LINE;

/** Fills the notes up to the byte: the first line is a heading, and all lines have the same length. */
const NOTES_SH = `line() { printf '%-${LINE - 1}s\\n' "$1"; }
if [ -f .ralph/agent/scratchpad.md ]; then line "line ${LINES + 1} ends here" >> .ralph/agent/scratchpad.md; exit; fi
line '# line 1 ends here'
number=2; while [ $number -le ${LINES} ]; do line "line $number ends here"; number=$((number+1)); done
`;

/** Notes that are as long as a prompt may have them, and one line longer. */
const longNotes = scenario({
  ...MECHANICS,
  id: 'prompt-long-notes',
  description:
    'Notes of 16,000 bytes are in the prompt; of longer notes, the newest, with the headings of the rest',
  covers: ['FR5'],
  expectedIterations: 3,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4 }),
    files: { 'notes.sh': NOTES_SH },
    prompt: `Take notes about ${nonce}.`,
  }),

  expect: () => ({
    ends: completed(),
    iterations: iterationCount(3),
    whole: promptContained(/^<scratchpad path="[^"]+">\n# line 1 ends here +\nline 2 ends here +\n/m, {
      iteration: 2,
    }),
    uncut: promptLacked('earlier content truncated', { iteration: 2 }),
    cut: promptContained(
      /^<scratchpad path="[^"]+">\n<!-- earlier content truncated \(200 chars omitted\) -->\n<!-- discarded sections: # line 1 ends here +-->\n\nline 3 ends here /m,
      { iteration: 3 },
    ),
    newest: promptContained(/^line 161 ends here +\n\n<\/scratchpad>$/m, { iteration: 3 }),
  }),

  agent: [
    onEvent('notes.full').completes(),
    onEvent('notes.begun').runs('sh notes.sh; ralph emit notes.full "161"'),
    onObjective(/Take notes about/).runs(
      'sh notes.sh > notes.txt; cat notes.txt > .ralph/agent/scratchpad.md; ralph emit notes.begun "160"',
    ),
  ],

  notApplicable: { 'by-hand': ONLY_PROMPTS, 'forged-output': ONLY_PROMPTS },

  saboteurs: {
    'notes are lost': {
      target: 'drop-scratchpad',
      kills: ['whole', 'cut', 'newest'],
      failure: 'PromptIneffective',
    },
    'takes longer notes from the start': {
      agent: replacing('cat notes.txt >', 'cat notes.txt notes.txt >'),
      kills: ['whole', 'uncut', 'cut'],
    },
    'adds nothing': {
      agent: replacing('sh notes.sh; ', ''),
      kills: ['cut', 'newest'],
    },
    'never completes': neverCompletes('ends', 'iterations'),
  },
});

/**
 * A backend that measures its prompts. From the second one it knows how much Ralph adds to the payload of an event, and
 * makes the third as long as an argument may be, and the fourth a byte longer.
 */
const MEASURE = `#!/bin/sh
prefix='Please read and execute the task in '
case $1 in
  "$prefix"*) way=file; cat "\${1#"$prefix"}" > prompt.txt ;;
  *) way=argument; printf %s "$1" > prompt.txt ;;
esac
size=$(($(wc -c < prompt.txt)))
echo "$way $size" >> calls.txt
emit() { ralph emit size.next "$(printf %0$1d 0)" > /dev/null; }
case $(($(wc -l < calls.txt))) in
  1) emit 1000 ;;
  2) echo $((7000 - size + 1000)) > room.txt; emit $(cat room.txt) ;;
  3) emit $(($(cat room.txt) + 1)) ;;
  *) echo LOOP_COMPLETE ;;
esac
`;

const inFile = scenario({
  ...MECHANICS,
  id: 'prompt-in-file',
  description: 'A prompt of 7,000 bytes is passed as an argument, and a longer one as a file with all of it',
  covers: ['FR4'],
  expectedIterations: 4,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 6, more: { cli: { backend: 'custom', command: './measure.sh' } } }),
    files: { 'measure.sh': { content: MEASURE, mode: 0o755 } },
    prompt: `Measure ${nonce}.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    iterations: iterationCount(4),
    argument: fileContains('calls.txt', /^argument 7000$/m),
    file: fileContains('calls.txt', /^file 7001$/m),
    whole: fileContains(
      'prompt.txt',
      new RegExp(`^\\s*### 0a\\. ORIENTATION\n[\\s\\S]*\n> Measure ${nonce}\\.\n[\\s\\S]*^## DONE$`, 'm'),
    ),
  }),

  agent: [],

  notApplicable: noBuiltIns('no agent takes part: the backend is a program that measures'),

  saboteurs: {
    'the prompt is another one': {
      config: arranging({ prompt: 'Measure it.' }),
      kills: ['whole'],
      failure: 'PromptIneffective',
    },
    'no prompt is just short enough': {
      config: arranging({
        files: { 'measure.sh': { content: MEASURE.replace('7000', '7001'), mode: 0o755 } },
      }),
      kills: ['argument'],
    },
    'no prompt is too long': {
      config: arranging({
        files: { 'measure.sh': { content: MEASURE.replace('7000', '6999'), mode: 0o755 } },
      }),
      kills: ['file'],
    },
    'never completes': {
      config: arranging({
        files: { 'measure.sh': { content: MEASURE.replace('LOOP_COMPLETE', 'done'), mode: 0o755 } },
      }),
      kills: ['ends', 'iterations'],
      failure: 'UnexpectedTermination',
    },
  },
});

export const promptLength: readonly Scenario[] = [longNotes, inFile];
