import {
  completed,
  endedAtOnce,
  fileEquals,
  onObjective,
  promptContained,
  type ScenarioContext,
} from '../../src/authoring.js';

/* The first work that every backend gets, whatever starts it: an answer, and a file. */

/** Asks for a sum, and for nothing else. */
export const askForSum = ({ numbers: [a, b] }: ScenarioContext) =>
  [
    `Work out ${a} + ${b}.`,
    'Say this line, without spaces or commas: `ANSWER=<sum>`',
    'Then declare the objective complete, as described under DONE.',
    'This only tests the connection, so create no files and run no commands.',
  ].join('\n');

/** Asks for a file with the word in uppercase. */
export const askForFile = ({ nonce }: ScenarioContext) =>
  [
    `Create the file result.txt in the current folder. It contains only one line: ${nonce} written in uppercase.`,
    'This is one small task: do it in this iteration, then declare the objective complete.',
  ].join('\n');

/** Writes the file that `askForFile` asks for. */
export const FILE_WRITER = onObjective(/one line: (\w+) written in uppercase/)
  .writes('result.txt', '{{upper 1}}\n')
  .says('The file is written.')
  .completes();

/** Checks that the file is written in one iteration, and the loop is complete. */
export const fileWritten = ({ nonce }: ScenarioContext) => ({
  ends: completed(),
  iterations: endedAtOnce(),
  told: promptContained(nonce, { iteration: 1 }),
  file: fileEquals('result.txt', nonce.toUpperCase()),
});
