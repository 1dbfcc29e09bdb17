import { javascriptWebApp } from './javascript-web-app.js';
import { packageJson } from './manifests.js';
import type { LanguageTemplates, ProjectFiles } from './template.js';

const CALCULATOR: ProjectFiles = {
  'src/operations.js': `export function add(a, b) {
  return a + b;
}

export function subtract(a, b) {
  return a - b;
}

export function multiply(a, b) {
  return a * b;
}

export function divide(a, b) {
  if (b === 0) throw new RangeError('cannot divide by zero');
  return a / b;
}

export function total(numbers) {
  let result = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    result = add(result, numbers[index]);
  }
  return result;
}
`,
  'test/operations.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as operations from '../src/operations.js';

test('add', () => assert.equal(operations.add(2, 3), 5));

test('subtract', () => assert.equal(operations.subtract(5, 3), 2));

test('multiply', () => assert.equal(operations.multiply(4, 3), 12));

test('divide', () => assert.equal(operations.divide(8, 2), 4));

test('divide by zero', () => assert.throws(() => operations.divide(1, 0), RangeError));

test('total', () => assert.equal(operations.total([1, 2, 3]), 6));
`,
};

/** Test projects in JavaScript, with Node's own test runner and nothing to install. */
export const javascript: LanguageTemplates = {
  testCommand: 'node --test',
  ignored: ['node_modules/'],
  projects: {
    library: {
      files: (name) => ({
        ...CALCULATOR,
        'package.json': packageJson(name, {
          exports: './src/operations.js',
          scripts: { test: 'node --test' },
        }),
      }),
    },

    cli: {
      usage: 'node src/cli.js add 2 3',
      files: (name) => ({
        ...CALCULATOR,
        'package.json': packageJson(name, { bin: './src/cli.js', scripts: { test: 'node --test' } }),
        'src/run.js': `import * as operations from './operations.js';

const NAMES = ['add', 'subtract', 'multiply', 'divide'];

export function run([name, ...words]) {
  const numbers = words.map(Number);
  if (!NAMES.includes(name) || numbers.length !== 2) {
    return { code: 2, text: \`usage: node src/cli.js <\${NAMES.join('|')}> <a> <b>\` };
  }
  const wrong = words[numbers.findIndex(Number.isNaN)];
  if (wrong !== undefined) return { code: 1, text: \`error: \${wrong} is no number\` };
  try {
    return { code: 0, text: String(operations[name](...numbers)) };
  } catch (error) {
    return { code: 1, text: \`error: \${error.message}\` };
  }
}
`,
        'src/cli.js': `#!/usr/bin/env node
import { run } from './run.js';

const { code, text } = run(process.argv.slice(2));
(code === 0 ? process.stdout : process.stderr).write(\`\${text}\\n\`);
process.exitCode = code;
`,
        'test/cli.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '../src/run.js';

test('prints the result', () => assert.deepEqual(run(['multiply', '4', '3']), { code: 0, text: '12' }));

test('tells a wrong number', () => {
  const { code, text } = run(['multiply', 'four', '3']);
  assert.equal(code, 1);
  assert.match(text, /four/);
});

test('tells how it is used', () => {
  const { code, text } = run([]);
  assert.equal(code, 2);
  assert.match(text, /usage:/);
});
`,
      }),
    },

    'web-app': javascriptWebApp,
  },
};
