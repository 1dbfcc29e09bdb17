import * as operations from './operations.js';

const NAMES = ['add', 'subtract', 'multiply', 'divide'];

export function run([name, ...words]) {
  const numbers = words.map(Number);
  if (!NAMES.includes(name) || numbers.length !== 2) {
    return { code: 2, text: `usage: node src/cli.js <${NAMES.join('|')}> <a> <b>` };
  }
  const wrong = words[numbers.findIndex(Number.isNaN)];
  if (wrong !== undefined) return { code: 1, text: `error: ${wrong} is no number` };
  try {
    return { code: 0, text: String(operations[name](...numbers)) };
  } catch (error) {
    return { code: 1, text: `error: ${error.message}` };
  }
}
