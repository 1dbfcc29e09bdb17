import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/cli.js';
import { packInto, ROOT } from './support/packed-package.js';

const SHOUT = `scenario({
  id: 'shout', tier: 2, priority: 'should', phase: 'green', description: 'The agent shouts', covers: [],
  arrange: ({ nonce }) => ({ config: loop({ maxIterations: 3 }), prompt: \`Say \${nonce} in capitals.\` }),
  expect: ({ nonce }) => [completed(), agentSaid(nonce.toUpperCase())],
  agent: [onObjective(/Say (\\w+) in/).says('{{upper 1}}').completes()],
})`;

const CONSUMER = `import { agentSaid, completed, loop, onObjective, runScenarios, scenario } from 'ralph-e2e';

const shout = ${SHOUT};
const report = await runScenarios([shout], { backends: ['claude'] });
console.log(report.verdict);
`;

test('the package works where it is installed: its command, its types and its import', () => {
  const pack = tempFolder();
  const consumer = tempFolder();
  const filename = packInto(pack);
  writeFileSync(join(consumer, 'package.json'), '{"name":"consumer","private":true,"type":"module"}\n');
  run('npm', ['install', '--no-audit', '--no-fund', join(pack, filename)], consumer);

  run('npx', ['ralph-e2e', '--mock', '--ralph', 'embedded', '--filter', 'connect'], consumer);
  expect(existsSync(join(consumer, '.e2e-tests/report.md'))).toBe(true);
  expect(readFileSync(join(consumer, '.e2e-tests/.gitignore'), 'utf8')).toMatch(/^\*$/m);

  writeFileSync(join(consumer, 'consumer.ts'), CONSUMER);
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2023,dom'];
  run(process.execPath, [tsc, ...strict, 'consumer.ts'], consumer);
  expect(run(process.execPath, ['consumer.js'], consumer)).toMatch(/the only test passed on the stand-in/);
});

test('a package that is installed for the whole machine runs scenario files from anywhere', () => {
  const pack = tempFolder();
  const prefix = tempFolder();
  const user = tempFolder();
  const filename = packInto(pack);
  run('npm', ['install', '-g', '--prefix', prefix, '--no-audit', '--no-fund', join(pack, filename)], user);
  const installed = realpathSync(join(prefix, 'lib/node_modules/ralph-e2e'));

  const names = '{ agentSaid, completed, loop, onObjective, scenario }';
  const isSame = `if (scenario !== other) throw new Error('the library was loaded twice');`;
  writeFileSync(
    join(user, 'mine.mjs'),
    `import ${names} from 'ralph-e2e';
import { scenario as other } from '${join(installed, 'dist/index.js')}';
${isSame}
export const shout = ${SHOUT};
`,
  );
  writeFileSync(
    join(user, 'mine.cjs'),
    `const ${names} = require('ralph-e2e');
const { scenario: other } = require('${join(installed, 'dist/index.js')}');
${isSame}
exports.shout = ${SHOUT};
`,
  );
  for (const file of ['mine.mjs', 'mine.cjs']) {
    const call = [
      'claude',
      '--mock',
      '--ralph',
      'embedded',
      '--skip-analysis',
      '--quiet',
      '--scenarios',
      file,
    ];
    const said = run(join(prefix, 'bin/ralph-e2e'), call, user);
    expect(said, file).toMatch(/the only test passed on the stand-in/);
  }
});

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
