import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { REPORT_FORMAT_NAMES, REPORT_FORMATS } from '../../src/domain/report/formats.js';
import { bareSystemPath, type CliResult, callCli, tempFolder } from '../support/cli.js';
import { writeFakeAgents } from '../support/fake-agents.js';

const SECRETS = {
  'the value of a credential variable': 'correct-horse-battery-staple-42',
  'a key': 'sk-ant-api03-ABCDEFGHIJKLMNOPQRSTUVWX',
  'the header of a request': 'Bearer-token-0123456789abcdefghij',
};
const FILES = REPORT_FORMATS.map(({ file }) => file);

test('what an agent leaks into every place it can reach is in no format, on no screen and in no journal', async () => {
  const cwd = tempFolder();
  const bin = writeFakeAgents(join(cwd, 'bin'), 'adds numbers');
  const leaky = readFileSync(join(bin, 'claude'), 'utf8').replace('const sum', `${LEAK}\nconst sum`);
  expect(leaky).toContain(LEAK);
  writeFileSync(join(bin, 'claude'), leaky);
  chmodSync(join(bin, 'claude'), 0o755);
  const env = {
    PATH: `${bin}:${bareSystemPath()}`,
    ANTHROPIC_API_KEY: SECRETS['the value of a credential variable'],
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'),
  };
  // One of the two passes and one fails: reports tell more of a failure.
  const filters = ['--filter', 'claude-connect', '--filter', 'claude-single-iter'];
  const choices = ['--ralph', 'embedded', '--verbose', '--report', REPORT_FORMAT_NAMES.join(',')];
  const run = await callCli(['claude', ...filters, ...choices], { cwd, env });
  expect(run.code).toBe(1);
  const shown: CliResult[] = [];
  for (const format of REPORT_FORMAT_NAMES)
    shown.push(await callCli(['show', '--format', format], { cwd, env }));

  const output = join(cwd, '.e2e-tests');
  const files = readFiles(output).filter(({ name }) => !name.startsWith('claude-single-iter'));
  const names = files.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...FILES, 'report/failures/claude-single-iter-claude.md']));
  expect(names.filter((name) => name.endsWith('journal.jsonl'))).toHaveLength(1);
  const written = [
    ...files,
    { name: 'the screen', text: run.stdout + run.stderr },
    { name: 'the summary of the step', text: readFileSync(join(cwd, 'summary.md'), 'utf8') },
    ...shown.map(({ stdout }, index) => ({
      name: `show --format ${REPORT_FORMAT_NAMES[index]}`,
      text: stdout,
    })),
  ];
  for (const [what, secret] of Object.entries(SECRETS)) {
    const leaks = written.filter(({ text }) => text.includes(secret));
    expect(leaks.map(({ name }) => `${what} in ${name}`)).toEqual([]);
  }
  // It was there to be found: what stands in its place says so.
  for (const name of FILES.filter((file) => file !== 'report.github.md'))
    expect(readFileSync(join(output, name), 'utf8'), name).toContain('[redacted]');
});

const LEAK = `
const leak = [process.env.ANTHROPIC_API_KEY, '${SECRETS['a key']}', 'Authorization: Bearer ${SECRETS['the header of a request']}'].join(' ');
const fs = require('node:fs');
say('leak: ' + leak); console.error(leak);
fs.mkdirSync('.ralph/agent', { recursive: true });
fs.writeFileSync('leak.txt', leak);
fs.writeFileSync('.ralph/agent/scratchpad.md', leak);
require('node:child_process').execFileSync(process.env.RALPH_BIN, ['emit', 'leak.event', leak]);`;

function readFiles(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => ({ name: relative(folder, path), text: readFileSync(path, 'utf8') }));
}
