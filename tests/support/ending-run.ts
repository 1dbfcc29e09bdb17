import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './cli.js';

const INDEX = new URL('../../dist/index.js', import.meta.url).href;

/** The signals that the harness gets in one part of a run: a kill, Ctrl-C, or Ctrl-C twice. */
export type Ending = 'SIGKILL' | 'SIGINT' | 'SIGINT SIGINT';

/** The tests of such a run, in their order. The second fails, and in the third the signals come. */
export const ENDING_TESTS = ['first', 'failing', 'ending', 'last'];

/** Options of a call that runs them. */
export const ENDING_CALL = ['claude', '--mock', '--ralph', 'embedded', '-j', '1', '--scenarios', 'mine.mjs'];

/** Writes the scenarios of a run that ends early so many times, always in its third test, and returns their folder. */
export function writeEndingRun(endings: readonly Ending[], folder = tempFolder()): string {
  writeFileSync(join(folder, 'words.mjs'), "export const ASK = 'Say';\n");
  writeFileSync(
    join(folder, 'mine.mjs'),
    `import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { agentSaid, completed, loop, onObjective, scenario } from '${INDEX}';
import { ASK } from './words.mjs';

/** How often the third test started. Scenarios are also asked before a run starts, and before it goes on. */
const countStarts = () =>
  (existsSync('.e2e-tests/runs') ? readdirSync('.e2e-tests/runs') : [])
    .map((run) => '.e2e-tests/runs/' + run + '/journal.jsonl')
    .filter((journal) => existsSync(journal))
    .reduce((sum, journal) => sum + readFileSync(journal, 'utf8').split('\\n').filter(isStart).length, 0);
const isStart = (line) => line.startsWith('{"type":"attempt-started"') && line.includes('"scenarioId":"ending"');
const endEarly = () => {
  const before = existsSync('ended') ? readFileSync('ended', 'utf8').length : 0;
  const signals = ${JSON.stringify(endings)}[before];
  if (signals === undefined || countStarts() <= before) return;
  appendFileSync('ended', '.');
  const [first, second] = signals.split(' ');
  process.kill(process.pid, first);
  if (second) setImmediate(() => process.kill(process.pid, second));
};
const make = (id, said) =>
  scenario({
    id,
    tier: 2,
    priority: 'must',
    phase: 'green',
    description: 'The agent says a word',
    covers: [],
    backends: ['claude'],
    arrange: ({ nonce }) => {
      if (id === 'ending') endEarly();
      return { config: loop({ maxIterations: 3 }), prompt: ASK + ' ' + nonce + '.' };
    },
    expect: ({ nonce }) => ({ ends: completed(), says: agentSaid(said ?? nonce) }),
    agent: [onObjective(/Say (\\w+)\\./).says('{{1}}').completes()],
  });

export const tests = [make('first'), make('failing', 'something else'), make('ending'), make('last')];
`,
  );
  return folder;
}
