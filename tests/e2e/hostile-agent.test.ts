import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { completed, loop, runScenarios, scenario } from '../../src/index.js';
import { findByCommand } from '../exec/support.js';
import { tempFolder } from '../support/cli.js';

/**
 * Ignores TERM, forks twice, each child in a session of its own, and all of them hold the pipes: what a timeout that
 * waits for pipes or for a process group never ends.
 */
function writeHostileAgent(path: string, pids: string): void {
  writeFileSync(
    path,
    `#!${process.execPath}
const { spawn } = require('node:child_process');
const { appendFileSync } = require('node:fs');
process.on('SIGTERM', () => {});
appendFileSync(${JSON.stringify(pids)}, process.pid + '\\n');
const depth = Number(process.env.DEPTH ?? '0');
if (depth === 0) console.log('said before the end');
if (depth < 2) spawn(process.execPath, [__filename], { detached: true, stdio: 'inherit', env: { ...process.env, DEPTH: String(depth + 1) } }).unref();
setInterval(() => {}, 1000);
`,
  );
  chmodSync(path, 0o755);
}

test('an agent that cannot be stopped politely ends with its time, its words are kept and no process stays', async () => {
  const folder = tempFolder();
  const agent = join(folder, 'agent');
  const pids = join(folder, 'pids');
  writeHostileAgent(agent, pids);
  const hostile = scenario({
    id: 'hostile-agent',
    backend: 'kiro',
    tier: 7,
    priority: 'should',
    phase: 'red',
    description: 'An agent that does not want to end',
    covers: [],
    arrange: () => ({ config: loop({ maxIterations: 2, command: agent }), prompt: 'Hang.' }),
    expect: () => [completed()],
    agent: [],
  });
  const output = join(folder, '.e2e-tests');
  const report = await runScenarios([hostile], { backends: ['kiro'], timeoutSeconds: 3, output });

  const [result] = report.results;
  expect(result?.outcome).toBe('failed');
  expect(result?.context?.timed_out).toBe(true);
  expect(result?.context?.stdout).toContain('said before the end');
  expect(result?.diagnosis?.failure_type).toBe('TimeoutExceeded');
  expect(readFileSync(join(output, 'report.md'), 'utf8')).toContain('said before the end');
  expect(readFileSync(pids, 'utf8').trim().split('\n')).toHaveLength(3);
  expect(findByCommand(agent)).toEqual([]);
  expect(readdirSync(output)).toContain('hostile-agent');
});
