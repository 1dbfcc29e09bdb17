import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runScenarios } from '../../src/index.js';
import { probeBwrap } from '../../src/isolation/bwrap/bwrap.js';
import { findOverlayTools } from '../../src/isolation/bwrap/overlay-launch.js';
import { covers } from '../coverage/covers.js';
import { tempFolder } from '../support/cli.js';
import { devServerTalk } from './dev-server-talk.js';
import { agentThatRuns } from './escape.js';
import { CHANGES_ITS_PLUGIN, talkWithPlugins } from './escaping-plugins.js';

const health = await probeBwrap(process.env.PATH);
const seesSilent = (await findOverlayTools(process.env.PATH)) !== null;
const BWRAP = { backends: ['claude'], isolation: 'bwrap', keepWorkspace: true } as const;

/** What may have the same value inside and outside: the fixed list of docs/isolation.md, and what a lane sets by itself. */
const FIXED_LIST =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TERM|TMPDIR|SSL_CERT_(?:FILE|DIR)|CURL_CA_BUNDLE|REQUESTS_CA_BUNDLE|XDG_\w+|PWD|SHLVL|_|NO_COLOR|IS_SANDBOX|PYTHONDONTWRITEBYTECODE)$/;

/** Variables that change what programs do, tell who the user is, or mean nothing to anybody. */
const PLANTED = {
  ...{ AWS_SECRET_ACCESS_KEY: 'planted', GITHUB_TOKEN: 'planted', ANTHROPIC_API_KEY: 'planted' },
  ...{ NODE_OPTIONS: '--no-warnings', PYTHONPATH: '/planted', BASH_ENV: '/planted', EDITOR: 'planted' },
  ...{ HTTPS_PROXY: 'http://user:planted@127.0.0.1:9', SSH_AUTH_SOCK: '/planted', RALPH_PLANTED: 'planted' },
  ...{ CLAUDE_CONFIG_DIR: '/planted', ZZ_NOBODY_KNOWS_IT: 'planted' },
};
/** One that may pass, so that the test is known to look at the right place. */
const ALLOWED = { LC_MEASUREMENT: 'C' };

describe.skipIf(!health.ok)(health.ok ? 'a whole attempt in bwrap' : `skipped: ${health.detail}`, () => {
  test('finds nothing of an earlier one, and comes to the same result again', async () => {
    covers('H39', 'H79');
    const output = join(tempFolder(), '.e2e-tests');
    const places = '"$HOME/left" /tmp/left /var/tmp/left left';
    const agent = agentThatRuns(
      `for f in ${places}; do [ -e "$f" ] && echo "$f"; done > seen.txt; true`,
      `for f in ${places}; do echo left > "$f" || echo "$f" >> not-written.txt; done`,
    );
    const runs = [];
    for (const _ of ['first', 'second']) {
      const { results } = await runScenarios([agent], { ...BWRAP, output });
      const files = ['seen.txt', 'left'].map((name) => readFileSync(join(output, 'escape', name), 'utf8'));
      const unwritten = readdirSync(join(output, 'escape')).filter((name) => name === 'not-written.txt');
      const verdicts = results[0]?.assertions.map(({ name, passed }) => [name, passed]);
      runs.push({ outcome: results[0]?.outcome, verdicts, files, unwritten });
    }
    expect(runs[0]).toMatchObject({ outcome: 'passed', files: ['', 'left\n'], unwritten: [] });
    expect(runs[1]).toEqual(runs[0]);
  });

  test('runs its plugins and their MCP configuration as they are, and cannot change them', async () => {
    covers('H57', 'H61');
    const folder = tempFolder();
    const scenario = talkWithPlugins({ changer: CHANGES_ITS_PLUGIN }, folder);
    const before = readTree(join(folder, 'changer'));
    expect(Object.keys(before)).toContain('.mcp.json');
    const { results } = await runScenarios([scenario], { ...BWRAP, output: join(folder, '.e2e-tests') });
    expect(readTree(join(folder, 'changer'))).toEqual(before);
    // The hook ran, so the plugin was there; and what it tried is told where that can be seen.
    const failed = results[0]?.assertions.filter(({ passed }) => !passed).map(({ name }) => name);
    expect(failed).toEqual(seesSilent ? ['nothing tries to leave the sandbox'] : []);
    if (seesSilent) {
      const stopped = results[0]?.context?.stopped_by_isolation.join('\n');
      expect(stopped).toContain(`${join(folder, 'changer/.mcp.json')} (changed)`);
      expect(stopped).toContain(`${join(folder, 'changer/.claude-plugin/plugin.json')} (deleted)`);
    }
  });

  test('inherits only variables of the fixed list', async () => {
    covers('H63');
    const before = Object.fromEntries(
      Object.keys({ ...PLANTED, ...ALLOWED }).map((name) => [name, process.env[name]]),
    );
    onTestFinished(() => {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    Object.assign(process.env, PLANTED, ALLOWED);
    const output = join(tempFolder(), '.e2e-tests');
    await runScenarios([agentThatRuns('env > env.txt')], { ...BWRAP, output });
    const inside = readFileSync(join(output, 'escape/env.txt'), 'utf8').split('\n');
    const inherited = Object.entries(process.env)
      .filter(([name, value]) => inside.includes(`${name}=${value}`))
      .map(([name]) => name);
    expect(inherited).toContain('LC_MEASUREMENT');
    expect(inherited.filter((name) => !FIXED_LIST.test(name))).toEqual([]);
    expect(inside.filter((line) => line.includes('planted'))).toEqual([]);
    expect(inside.filter((line) => line.startsWith('NODE_OPTIONS='))).toEqual([]);
  });

  test('reaches the dev server of its scenario, which runs beside it in the sandbox', async () => {
    covers('C51');
    const output = join(tempFolder(), '.e2e-tests');
    const { results } = await runScenarios([devServerTalk('serves')], { ...BWRAP, output });
    expect(results[0]?.assertions.filter(({ passed }) => !passed)).toEqual([]);
    expect(results[0]?.outcome).toBe('passed');
    const ended = await runScenarios([devServerTalk('ends')], { ...BWRAP, output });
    const failed = ended.results[0]?.assertions.filter(({ passed }) => !passed).map(({ name }) => name);
    expect(failed).toContain('the dev server runs until the end of the conversation');
    const never = await runScenarios([devServerTalk('fails')], { ...BWRAP, output });
    expect(never.results[0]?.outcome).toBe('error');
    expect(JSON.stringify(never.results[0])).toContain(
      'The dev server failed inside the bwrap sandbox: exit 4',
    );
  });
});

/** Every file below a folder, with its text. */
function readTree(folder: string, below = ''): Record<string, string> {
  const entries = readdirSync(join(folder, below)).sort();
  return Object.assign(
    {},
    ...entries.map((name) => {
      const path = below === '' ? name : `${below}/${name}`;
      return statSync(join(folder, path)).isDirectory()
        ? readTree(folder, path)
        : { [path]: readFileSync(join(folder, path), 'utf8') };
    }),
  );
}
