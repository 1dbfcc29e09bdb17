import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runScenarios } from '../../src/index.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { findOverlayTools } from '../../src/isolation/bwrap/overlay-launch.js';
import { covers } from '../coverage/covers.js';
import { connectOut, writeSilently } from '../isolation/escape.js';
import { CHANGES_ITS_PLUGIN, talkWithPlugins } from '../isolation/escaping-plugins.js';
import { runCli, tempFolder } from '../support/cli.js';
import { useEngine } from './support/engine.js';
import { putOnPath } from './support/environment.js';

putOnPath('claude');
const bwrap = await probeBwrap(process.env.PATH);
const noEngine = await useEngine();
const seesSilent = (await findOverlayTools(process.env.PATH)) !== null;
const { PATH = '', DOCKER_HOST } = process.env;
const env = { PATH, ...(DOCKER_HOST === undefined ? {} : { DOCKER_HOST }) };

const KINDS = [
  { isolation: 'bwrap', missing: bwrap.ok ? null : bwrap.detail },
  { isolation: 'docker', missing: noEngine },
] as const;
const CASES = KINDS.flatMap((kind) => (['sim', 'scripted'] as const).map((lane) => ({ ...kind, lane })));

describe.each(CASES)('conversations inside $isolation in the $lane lane', ({ isolation, lane, missing }) => {
  test.skipIf(missing !== null)(missing ?? 'pass, and nothing is tried outside', async () => {
    covers('H68');
    const filters = ['agent-loop-bugfix', 'plugins-hooks-of-two'].flatMap((id) => ['--filter', id]);
    const { code, stdout, stderr } = await runCli(
      ['claude', '--lane', lane, '--isolation', isolation, ...filters, '--json'],
      { cwd: tempFolder(), env },
    );
    expect(stdout, stderr).not.toBe('');
    const { results } = JSON.parse(stdout);
    expect(results.map(({ tier, outcome }: Record<string, string>) => [tier, outcome])).toEqual([
      ['Tier 8: Conversations', 'passed'],
      ['Tier 9: Plugins', 'passed'],
    ]);
    for (const { context } of results) expect(context.stopped_by_isolation).toEqual([]);
    expect(code).toBe(0);
  });

  test.skipIf(missing !== null)(
    missing ?? 'run plugins and their MCP configuration as they are, and cannot change them',
    async () => {
      covers('H57', 'H61');
      const folder = tempFolder();
      const scenario = talkWithPlugins({ changer: CHANGES_ITS_PLUGIN }, folder);
      const files = ['.mcp.json', '.claude-plugin/plugin.json', 'hooks/hooks.json'];
      const read = () => files.map((file) => readFileSync(join(folder, 'changer', file), 'utf8'));
      const before = read();
      const { results } = await runScenarios([scenario], {
        ...{ backends: ['claude'], lane, isolation, output: join(folder, '.e2e-tests') },
      });
      expect(read()).toEqual(before);
      expect(existsSync(join(folder, 'changer/commands'))).toBe(false);
      // Loaded, and its hook ran: it was there.
      const failed = results[0]?.assertions.filter(({ passed }) => !passed).map(({ name }) => name);
      expect(failed).toEqual(seesSilent ? ['nothing tries to leave the sandbox'] : []);
    },
  );

  test.skipIf(missing !== null)(
    missing ?? 'with plugins that write outside or connect are stopped and reported',
    async () => {
      const folder = tempFolder();
      const output = join(folder, '.e2e-tests');
      const silent = join(folder, 'silent.txt');
      const hooks = {
        writer: writeSilently(silent),
        logger: writeSilently('$CLAUDE_PLUGIN_ROOT/log'),
        caller: connectOut(),
      };
      const { results } = await runScenarios([talkWithPlugins(hooks, folder)], {
        ...{ backends: ['claude'], lane, isolation, output },
      });
      expect([silent, join(folder, 'logger/log')].filter((path) => existsSync(path))).toEqual([]);
      expect(results[0]?.assertions.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual([
        'nothing tries to leave the sandbox',
      ]);
      const page = readFileSync(join(output, 'report.md'), 'utf8');
      expect(page).toContain('Stopped by the isolation');
      expect(page).toContain('sent something to an address outside');
      if (seesSilent) {
        expect(page).toContain(`wrote outside the workspace: ${silent} (created)`);
        expect(page).toContain(`wrote outside the workspace: ${join(folder, 'logger/log')} (created)`);
      }
    },
  );
});
