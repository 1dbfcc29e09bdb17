import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CliResult, runCli, startCli, tempFolder } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The examples as a user has them: a copy, and the package installed beside it. */
function copyExamples({ installed = true } = {}): string {
  const folder = join(tempFolder(), 'examples');
  cpSync(join(ROOT, 'examples'), folder, { recursive: true });
  if (installed) {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'ralph-e2e'));
  }
  return folder;
}

function nodeTest(cwd: string, ...files: string[]): Promise<CliResult> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-reporter', 'tap', ...files], { cwd, env });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr: '' })));
}

function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

describe('examples', () => {
  test.each([true, false])(
    'the scenario passes on each backend, the package installed: %s',
    async (installed) => {
      const cwd = copyExamples({ installed });
      const { code, stdout } = await runCli(
        ['--mock', '--ralph', 'embedded', '--scenarios', 'relay.scenario.mjs'],
        { cwd },
      );
      expect(stdout.match(/✅ relay/g)).toHaveLength(3);
      expect(code).toBe(0);
    },
  );

  test('the scenario fails where a hat does not get the event', async () => {
    const cwd = copyExamples();
    change(join(cwd, 'relay.scenario.mjs'), "triggers: ['sum.ready']", "triggers: ['sum.other']");
    const { code } = await runCli(['claude', '--mock', '--scenarios', 'relay.scenario.mjs'], { cwd });
    expect(code).toBe(1);
  });

  test('the tests pass, each of them', async () => {
    const cwd = copyExamples();
    const { code, stdout } = await nodeTest(cwd, 'hello.test.mjs', 'agent.test.mjs');
    expect(stdout).toMatch(/^# pass 3$/m);
    expect(code).toBe(0);
  });

  test('the test of the plugin fails where the plugin asks for something else', async () => {
    const cwd = copyExamples();
    change(join(cwd, 'hello/commands/greet.md'), 'for $ARGUMENTS into', 'for nobody into');
    expect((await nodeTest(cwd, 'hello.test.mjs')).stdout).toMatch(/^# fail 1$/m);
  });

  test('the script plays as a CLI, and as a model', async () => {
    const cwd = copyExamples();
    const sim = await runCli(['sim', 'claude', '--script', 'agent.yaml', '--', '-p', 'What is 40 plus 2?'], {
      cwd,
      env: { HOME: tempFolder() },
    });
    expect([sim.stdout, sim.code]).toEqual(['It is 42.\n', 0]);
    const server = startCli(['serve', '--script', 'agent.yaml'], { cwd });
    onTestFinished(() => void server.child.kill('SIGKILL'));
    await expect.poll(server.output, { timeout: 30_000 }).toMatch(/Playing agent\.yaml \(3 rules\) on http/);
    server.child.kill('SIGINT');
    await server.done;
  });

  test('each is on the page, and in the package', () => {
    const page = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');
    const names = readdirSync(join(ROOT, 'examples')).filter((name) => name !== 'README.md');
    expect(names.filter((name) => !page.includes(`(${name})`))).toEqual([]);
    expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).files).toContain('examples');
  });
});
