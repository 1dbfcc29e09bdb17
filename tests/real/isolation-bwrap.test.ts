import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runScenarios } from '../../src/index.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { findOverlayTools } from '../../src/isolation/bwrap/overlay-launch.js';
import { covers } from '../coverage/covers.js';
import { agentThatRuns, connectOut, HOST_NAME, writeSilently } from '../isolation/escape.js';
import { runCli, tempFolder } from '../support/cli.js';

const health = await probeBwrap(process.env.PATH);
const seesSilent = (await findOverlayTools(process.env.PATH)) !== null;

describe.skipIf(!health.ok)(health.ok ? '--isolation bwrap' : `skipped: ${health.detail}`, () => {
  test('a scenario passes inside, the report says so, and repeating it means the same', async () => {
    covers('H67');
    const cwd = tempFolder();
    const { code, stdout } = await runCli(
      [
        'claude',
        '--mock',
        '--ralph',
        'embedded',
        '--isolation',
        'bwrap',
        '--filter',
        'claude-tool-use',
        '--json',
      ],
      // The tools of the other tests have no bwrap among them.
      { cwd, env: { PATH: process.env.PATH ?? '' } },
    );
    const report = JSON.parse(stdout);
    expect(report.environment.isolation).toBe('bwrap');
    expect(report.results[0].context.stopped_by_isolation).toEqual([]);
    expect(report.results[0].repeat_command).toContain('--isolation bwrap');
    expect(code).toBe(0);
  });

  test('an agent that writes outside or opens a connection is stopped and reported, and its work is kept', async () => {
    const folder = tempFolder();
    const escaped = join(folder, 'escaped.txt');
    const silent = join(folder, 'silent.txt');
    const output = join(folder, '.e2e-tests');
    const scenarios = [agentThatRuns(`echo out > ${escaped}`, writeSilently(silent), connectOut())];
    const report = await runScenarios(scenarios, { backends: ['claude'], output, isolation: 'bwrap' });
    const [result] = report.results;
    expect([escaped, silent].filter((path) => existsSync(path))).toEqual([]);
    expect(readFileSync(join(output, 'escape/done.txt'), 'utf8')).toBe('done');
    const stopped = result?.context?.stopped_by_isolation.join('\n');
    expect(stopped).toContain(`wrote outside the workspace: `);
    expect(stopped).toContain(escaped);
    if (seesSilent) expect(stopped).toContain(`wrote outside the workspace: ${silent} (created)`);
    expect(stopped).toMatch(/sent something to an address outside/);
    // Without root nobody inside may be the name server, and the question is one more thing sent outside.
    if (process.getuid?.() === 0) expect(stopped).toContain(`looked up ${HOST_NAME}`);
    expect(result?.outcome).toBe('failed');
    expect(result?.assertions.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual([
      'nothing tries to leave the sandbox',
    ]);
    expect(readFileSync(join(output, 'report.md'), 'utf8')).toContain('Stopped by the isolation');
  });
});

test('on the host the same agent gets out, and the check says that nobody could see it', async () => {
  const folder = tempFolder();
  const escaped = join(folder, 'escaped.txt');
  const output = join(folder, '.e2e-tests');
  const report = await runScenarios([agentThatRuns(`echo out > ${escaped}`)], {
    backends: ['claude'],
    output,
  });
  expect(existsSync(escaped)).toBe(true);
  expect(report.results[0]?.assertions.find(({ passed }) => !passed)?.actual).toBe(
    'the run was not isolated',
  );
});
