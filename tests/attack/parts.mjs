// The words that attacks are made of: scenario modules, and the shell commands around them.

const CHECKS = [
  'agentSaid',
  'allOf',
  'completed',
  'errandAnswered',
  'eventEmitted',
  'fileContains',
  'fileEquals',
  'fileLacks',
  'fileUntouched',
  'iterationCount',
  'iterationsAtLeast',
  'memoryAbsent',
  'promptContained',
  'promptLacked',
  'taskIs',
  'terminatedBecause',
];

const HEAD = `
import { ${CHECKS.join(', ')}, loop, onAnyPrompt, onObjective, scenario } from 'ralph-e2e';
const common = { tier: 2, priority: 'must', phase: 'green', covers: [], backends: ['claude'] };
const arrange = () => ({ config: loop({ maxIterations: 3 }), prompt: 'Do it.' });
const done = () => onObjective('Do it').says('Done.').completes();
const make = (id, parts = {}) => scenario({
  ...common, id, description: id, arrange, expect: () => [completed()], agent: [done()], ...parts,
});
/** Fails, whatever its agent does: nobody writes this file. */
const red = make('red', { expect: () => [completed(), fileContains('absent.txt', 'never')] });
const green = make('green');
`;

/** A module of scenarios: these lines after the common ones. */
export const module = (lines) => `${HEAD}\n${lines}\n`;

/** A test that fails, and then one whose agent does something to the folders of the run. */
export const afterRed = (deed) =>
  module(
    `const deed = make('deed', { agent: [onObjective('Do it').runs(${JSON.stringify(deed)}).says('Done.').completes()] });\nexport const all = [red, deed];`,
  );

/** A test that fails and whose own agent does something to the folders of the run. */
export const byRed = (deed) =>
  module(
    `export const own = make('red', { expect: () => [completed(), fileContains('absent.txt', 'never')], agent: [onObjective('Do it').runs(${JSON.stringify(deed)}).says('Done.').completes()] });`,
  );

/** A test named \`forged\` with these checks, whose agent runs this. */
export const forged = (
  checks,
  deed,
  { agent = `onObjective('Do it').runs(deed).says('Done.').completes()`, plan = '' } = {},
) =>
  module(`
const deed = ${JSON.stringify(deed)};
export const forged = make('forged', {
  arrange: () => ({ ...arrange(), ${plan} }),
  expect: () => [${checks}],
  agent: [${agent}],
});`);

/** Runs \`mine.mjs\` on the stand-ins. */
export const RUN = '$E2E claude --mock --ralph embedded --skip-analysis -j 1 --output out';
export const MINE = `${RUN} --scenarios mine.mjs`;
export const JOURNAL = '$(echo ../runs/*/journal.jsonl)';
export const EVENTS = '$(cat .ralph/current-events)';
