import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOutline } from '../report/support/markdown-outline.js';
import { bareSystemPath, callCli, tempFolder } from '../support/cli.js';

// A name that a shell would take apart, because reports repeat what the run was called with.
const OUTPUT = "it's $HOME; the `out` folder";

/** Ways to break a run, and what it then prints commands for. */
const BROKEN = [
  { what: 'one failure', filters: ['claude-connect'], fault: 'wrong-exit-code', commands: 1 },
  {
    what: 'several failures, which are also run again together',
    filters: ['claude-connect', 'claude-completion'],
    fault: 'ignore-completion',
    commands: 3,
  },
];

test.each(BROKEN)('every command of a report of $what works when it is pasted', async (broken) => {
  const cwd = tempFolder();
  const env = { HOME: tempFolder(), PATH: bareSystemPath() };
  const filters = broken.filters.flatMap((name) => ['--filter', name]);
  const choices = ['--output', OUTPUT, '--timeout', '20'];
  const { code } = await callCli(['claude', '--mock', ...filters, ...choices], {
    cwd,
    env: { ...env, RALPH_STANDIN_FAULT: broken.fault },
  });
  expect(code).toBe(1);

  const report = readFileSync(join(cwd, OUTPUT, 'report.md'), 'utf8');
  const pages = readdirSync(join(cwd, OUTPUT, 'report/failures'));
  expect(pages).toHaveLength(broken.filters.length);
  const printed = [
    ...commandsBelow(report, '🎯 Causes'),
    ...(report.includes('🔧 Quick Fix Commands') ? commandsBelow(report, '🔧 Quick Fix Commands') : []),
    ...pages.flatMap((page) =>
      commandsBelow(readFileSync(join(cwd, OUTPUT, 'report/failures', page), 'utf8'), 'Run it again'),
    ),
  ];
  // The page of the test that shows a cause best has the command that the report has for the cause.
  const commands = [...new Set(printed)];
  expect(printed).toHaveLength(broken.commands + 1);
  expect(commands).toHaveLength(broken.commands);

  for (const command of commands) {
    // From any folder and in a new shell: the command goes where the run was started, and breaks the target again.
    const pasted = spawnSync('sh', ['-c', `${command} --skip-analysis`], {
      cwd: tempFolder(),
      env,
      encoding: 'utf8',
    });
    // The target is still broken: the command must find that again, which is 1; 2 would be a command that cannot run.
    expect(pasted.status, `${command}\n${pasted.stdout}${pasted.stderr}`).toBe(1);
    expect(pasted.stdout).toMatch(/tests? failed on the stand-in/);
  }
  expect(readdirSync(cwd)).toEqual([OUTPUT]);
});

/** The commands in the first block under a heading. */
function commandsBelow(markdown: string, heading: string): string[] {
  const { fenced, problems } = readOutline(markdown.slice(markdown.indexOf(`## ${heading}`)));
  expect(problems).toEqual([]);
  return (fenced[0] ?? '').split('\n').filter((line) => line !== '');
}
