import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/cli.js';
import { packInto, ROOT } from './support/packed-package.js';

const CONSUMER = `import { agentSaid, completed, loop, onObjective, runScenarios, scenario } from 'ralph-e2e';

const shout = scenario({
  id: 'shout', tier: 2, priority: 'should', phase: 'green', description: 'The agent shouts', covers: [],
  arrange: ({ nonce }) => ({ config: loop({ maxIterations: 3 }), prompt: \`Say \${nonce} in capitals.\` }),
  expect: ({ nonce }) => [completed(), agentSaid(nonce.toUpperCase())],
  agent: [onObjective(/Say (\\w+) in/).says('{{upper 1}}').completes()],
});
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

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
