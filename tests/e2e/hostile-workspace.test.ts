import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Report, reportSchema } from '../../src/domain/report/report.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';
import { writeFakeAgents } from '../support/fake-agents.js';

/** A live run of claude-connect with an agent that does something to its surroundings before it answers. */
async function runWithDeed(cwd: string, deed: string) {
  const bin = writeFakeAgents(join(cwd, '..', 'bin'), 'adds numbers');
  const agent = readFileSync(join(bin, 'claude'), 'utf8');
  writeFileSync(
    join(bin, 'claude'),
    agent.replace('const sum', `const fs = require('node:fs');\n${deed}\nconst sum`),
  );
  chmodSync(join(bin, 'claude'), 0o755);
  const { code, stdout } = await callCli(
    ['claude', '--ralph', 'embedded', '--filter', 'claude-connect', '--json'],
    {
      cwd,
      env: { PATH: `${bin}:${bareSystemPath()}` },
    },
  );
  const report: Report = reportSchema.parse(JSON.parse(stdout));
  return { code, report, result: report.results[0] };
}

function project(): string {
  const folder = join(tempFolder(), 'project');
  mkdirSync(folder);
  return folder;
}

describe('an agent that tampers with its workspace', () => {
  test('cannot make ralph commit to the repo around it, nor clear its stashes', async () => {
    const cwd = project();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=u', '-c', 'user.email=u@example.invalid', ...args], {
        cwd,
        encoding: 'utf8',
      });
    git('init', '--quiet');
    writeFileSync(join(cwd, 'file'), 'one\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
    writeFileSync(join(cwd, 'file'), 'two\n');
    git('stash', 'push', '--quiet');
    writeFileSync(join(cwd, 'file'), 'dirty\n');
    await runWithDeed(cwd, `fs.rmSync('.git', { recursive: true, force: true });`);
    expect(git('log', '--format=%s').trim()).toBe('first');
    expect(git('stash', 'list')).not.toBe('');
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('dirty\n');
  });

  test.each([
    ['puts NUL into the marker of the events', `fs.writeFileSync('.ralph/current-events', 'a\\0b');`],
    ['names an endless events file', `fs.writeFileSync('.ralph/current-events', 'x'.repeat(5000));`],
    ['leaves a socket', `require('node:net').createServer().listen('socket').unref();`],
    [
      'makes the diagnostics a file',
      `fs.rmSync('.ralph/diagnostics', { recursive: true, force: true }); fs.writeFileSync('.ralph/diagnostics', '');`,
    ],
  ])('is judged, not taken for an error in the harness, when it %s', async (_name, deed) => {
    const { result } = await runWithDeed(project(), deed);
    expect(result?.error).toBeNull();
    expect(['passed', 'failed']).toContain(result?.outcome);
  });

  test('cannot show us files outside by putting a link in place of its workspace', async () => {
    const cwd = project();
    writeFileSync(join(cwd, 'precious'), 'precious content');
    const deed = `const here = process.cwd(); fs.renameSync(here, here + '-moved'); fs.symlinkSync(${JSON.stringify(cwd)}, here);`;
    const { report } = await runWithDeed(cwd, deed);
    expect(JSON.stringify(report)).not.toContain('precious content');
    expect(existsSync(join(cwd, 'precious'))).toBe(true);
  });

  test('cannot smuggle a credential into the report by a file name', async () => {
    const key = 'sk-ant-api03-ABCDEFGHIJKLMNOPQRSTUVWX';
    const { report } = await runWithDeed(project(), `fs.writeFileSync('name-${key}.txt', '');`);
    expect(JSON.stringify(report)).not.toContain(key);
    expect(JSON.stringify(report)).toContain('name-[redacted]');
  });
});
