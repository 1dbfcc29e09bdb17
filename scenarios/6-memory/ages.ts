import { completed, fileContains, fileEquals, onObjective, scenario } from '../../src/authoring.js';
import { replacing } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { COMMANDS_ONLY, MEMORY_FILE } from '../support/memory.js';
import { neverCompletes } from '../support/saboteurs.js';

/** The age of a memory in words, by its days: the first and the last day of each. */
const AGES: Readonly<Record<string, string>> = {
  0: 'today',
  1: 'yesterday',
  2: '2 days ago',
  6: '6 days ago',
  7: '1 week ago',
  13: '1 week ago',
  14: '2 weeks ago',
  20: '2 weeks ago',
  21: '3 weeks ago',
  27: '3 weeks ago',
  28: '1 month ago',
  44: '1 month ago',
  45: '2 months ago',
  89: '2 months ago',
  90: '3 months ago',
  359: '11 months ago',
  360: 'the date',
  4000: 'the date',
};

/** Stores memories of these ages and a date that no calendar has, and lists them. It starts over if a day ends meanwhile. */
const SCRIPT = `
day() { date -u -d "@$1" +%F 2> /dev/null || date -u -r "$1" +%F; }
memory() { printf '\\n### mem-1700000%03d-aaaa\\n> %s %s\\n<!-- tags:  | created: %s -->\\n' "$1" "$1" "$2" "$2"; }
while
  today=$(date -u +%F)
  now=$(date +%s)
  {
    printf '# Memories\\n\\n## Fixes\\n'
    for days in ${Object.keys(AGES).join(' ')}; do memory $days "$(day $((now - days * 86400)))"; done
    memory 9999 2026-13-01
  } > ${MEMORY_FILE}
  ralph tools memory list > list.txt
  ralph tools memory prime --recent 7 --format quiet | grep -v 9999 > recent.txt
  ralph tools memory show mem-1700000006-aaaa > shown.txt
  [ "$today" != "$(date -u +%F)" ]
do :; done
awk -F ' *[|] *' '/ fix / { split($5, word, " "); print word[1] ": " ($3 == word[2] ? "the date" : $3) }' list.txt > ages.txt
`;

/** A week ago is the first of the last seven days. */
const RECENT = ['000', '001', '002', '006', '007'];

const listed = Object.entries(AGES).map(([days, age]) => `${days}: ${age}`);

/** How old memories are. */
const memoryAges = scenario({
  id: 'memory-ages',
  ...MECHANICS,
  description:
    'The list says how old a memory is, in days, weeks or months, or with its date after a year; a memory that is shown has both',
  covers: ['FR12'],
  expectedIterations: 1,

  arrange: () => ({
    config: COMMANDS_ONLY,
    files: { 'ages.sh': SCRIPT, [MEMORY_FILE]: '# Memories\n' },
    prompt: 'Look how old memories are.',
  }),

  expect: () => ({
    ends: completed(),
    ages: fileEquals('ages.txt', [...listed, '9999: the date'].join('\n')),
    recent: fileEquals('recent.txt', RECENT.map((days) => `mem-1700000${days}-aaaa`).join('\n')),
    shown: fileContains('shown.txt', /^ +Created: 6 days ago \(\d{4}-\d\d-\d\d\)$/m),
  }),

  agent: [onObjective('Look how old').runs('sh ages.sh').completes()],

  saboteurs: {
    'never completes': neverCompletes('ends'),
    'all are a day older': {
      agent: replacing(
        'sh ages.sh',
        "sed 's/now - days/now - 86400 - days/' ages.sh > older.sh; sh older.sh",
      ),
      kills: ['ages', 'recent', 'shown'],
      failure: 'AssertionMismatch',
    },
    'does not look': { agent: replacing('sh ages.sh', 'true'), kills: ['ages', 'recent', 'shown'] },
  },
});

export const memoryAge = [memoryAges];
