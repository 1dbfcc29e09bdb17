import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { reportSchema } from '../../src/domain/report/report.js';
import { callCli, runCli, tempFolder } from '../support/cli.js';

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const WORKFLOW = '.github/workflows/ralph-e2e.yml';
const SCENARIOS = 'e2e/scenarios.mjs';
const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
const PROGRAM = `e2e/ralph-e2e-${version}.tgz`;

type Files = Readonly<Record<string, string>>;

/** A git repository with these files. It has a file in place of the packed program: packing takes seconds. */
function createRepository(files: Files = {}): string {
  const folder = createEmpty();
  mkdirSync(join(folder, 'e2e'));
  writeFileSync(join(folder, PROGRAM), '');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function createEmpty(): string {
  const folder = tempFolder();
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  return folder;
}

/** The plugin of our examples, with these files besides. */
function createPlugin(files: Files = {}): string {
  const folder = createRepository(files);
  cpSync(inProject('examples/hello'), folder, { recursive: true });
  return folder;
}

async function init(cwd: string, ...flags: readonly string[]) {
  // npm is on the machine's own PATH.
  const { code, stdout, stderr } = await callCli(['init', ...flags], {
    cwd,
    env: { PATH: process.env.PATH ?? '' },
  });
  expect([stderr, code]).toEqual(['', 0]);
  return stdout;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('.git/'))
    .sort();
}

const readWorkflow = (folder: string) => readFileSync(join(folder, WORKFLOW), 'utf8');

/** The words of the step that runs the scenarios, without the program and its reports. */
function stepWords(folder: string): string[] {
  const { jobs } = z
    .object({
      jobs: z.object({
        offline: z.object({
          steps: z.array(z.looseObject({ name: z.string().optional(), run: z.string().optional() })),
        }),
      }),
    })
    .parse(parse(readWorkflow(folder)));
  const step = jobs.offline.steps.find(({ name }) => name === 'Run the scenarios');
  const [program, ...words] = (step?.run ?? '').trim().split(' ');
  expect(program).toBe('ralph-e2e');
  return words;
}

/** Runs that step, and returns the outcomes of the tests. */
async function runStep(cwd: string, words: readonly string[]) {
  const { code, stdout, stderr } = await runCli([...words, '--json'], { cwd });
  expect(code, stderr).toBe(0);
  return reportSchema
    .parse(JSON.parse(stdout))
    .results.map((result) => `${result.scenario_id} ${result.outcome}`);
}

describe('ralph-e2e init', () => {
  test('in an empty repository asks what it contains, and writes nothing', async () => {
    const cwd = createEmpty();
    const { code, stderr } = await callCli(['init'], { cwd });
    expect(stderr).toMatch(/^error: Expected .*, found none of them in .*\n.*--for ralph, or --for plugin/);
    expect([listFiles(cwd), code]).toEqual([[], 2]);
  });

  test('for Ralph writes a workflow whose run passes', async () => {
    const cwd = createRepository();
    const printed = await init(cwd, '--for', 'ralph');
    expect(listFiles(cwd)).toEqual([WORKFLOW, PROGRAM, SCENARIOS]);
    expect(printed).toContain('--mock --ralph embedded --scenarios e2e/scenarios.mjs');
    const words = stepWords(cwd).map((word) => (word.includes('$RUNNER_TEMP') ? 'embedded' : word));
    expect(await runStep(cwd, [...words, '--filter', 'first-scenario'])).toEqual(
      ['claude', 'kiro', 'opencode'].map(() => 'first-scenario passed'),
    );
  });

  test('packs the ralph-e2e that the workflow installs, and says what to commit and where to read on', async () => {
    const cwd = createEmpty();
    writeFileSync(join(cwd, '.gitignore'), '*.tgz\n');
    const printed = await init(cwd, '--for', 'ralph');
    const { env } = z.object({ env: z.object({ RALPH_E2E: z.string() }) }).parse(parse(readWorkflow(cwd)));
    expect(env.RALPH_E2E).toBe(`./${PROGRAM}`);
    const read = (path: string) =>
      execFileSync('tar', ['-xzOf', PROGRAM, `package/${path}`], { cwd, encoding: 'utf8' });
    expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'ralph-e2e', version });
    expect(read('dist/cli.js')).toBe(readFileSync(inProject('dist/cli.js'), 'utf8'));

    const [, add = ''] = /commit and push: git (.*)/.exec(printed) ?? [];
    execFileSync('git', add.split(' '), { cwd });
    const staged = execFileSync('git', ['diff', '--cached', '--name-only'], { cwd, encoding: 'utf8' });
    expect(staged.trim().split('\n').sort()).toEqual([WORKFLOW, PROGRAM, SCENARIOS]);
    expect(printed).toContain('because ralph-e2e is not on npm yet');
    expect(printed).toContain('the workflow tests the release that it installs from crates.io');
    const [, page = ''] = /^(.*) explains the workflow\.$/m.exec(printed) ?? [];
    expect(readFileSync(page, 'utf8')).toBe(readFileSync(inProject('docs/ci.md'), 'utf8'));
  });

  test('writes nothing if npm cannot pack it, and says what to do', async () => {
    const cwd = createEmpty();
    const { code, stderr } = await callCli(['init', '--for', 'ralph'], { cwd, env: { PATH: '/nowhere' } });
    expect(stderr).toMatch(/^error: Expected npm to pack ralph-e2e, found .*\nPack it yourself: npm pack \//);
    expect([listFiles(cwd), code]).toEqual([[], 2]);
  });

  test('for a plugin writes a workflow whose run passes, and a scenario that is proved', async () => {
    const cwd = createPlugin();
    await init(cwd);
    expect(await runStep(cwd, stepWords(cwd))).toEqual(['plugin-loads passed']);
    const { code, stdout } = await runCli(['prove', '--quiet', '--scenarios', SCENARIOS], { cwd });
    expect(code, stdout).toBe(0);
  });

  test('its first conversation fails if a command of the plugin is gone', async () => {
    const cwd = createPlugin();
    await init(cwd);
    rmSync(join(cwd, 'commands/greet.md'));
    const { code } = await runCli(stepWords(cwd), { cwd });
    expect(code).toBe(1);
  });

  test.each<{ files: Files; source: string; what: string }>([
    {
      files: { 'crates/ralph-cli/Cargo.toml': '' },
      source: '--path crates/ralph-cli',
      what: "Ralph's sources",
    },
    { files: { 'ralph.yml': '' }, source: 'ralph-cli@2.10.1', what: 'a configuration of Ralph' },
  ])('in a repository with $what installs Ralph with $source', async ({ files, source }) => {
    const cwd = createRepository(files);
    await init(cwd);
    const installs = readWorkflow(cwd).match(/cargo install .*/g) ?? [];
    expect(installs.map((command) => command.endsWith(` ${source}`))).toEqual([true, true]);
  });

  test('for a plugin with MCP servers takes the real Claude Code, which can start them', async () => {
    const cwd = createPlugin({ '.mcp.json': '{"mcpServers":{"clock":{"command":"true"}}}' });
    await init(cwd);
    expect(stepWords(cwd).slice(0, 3)).toEqual(['claude', '--lane', 'scripted']);
    expect(readWorkflow(cwd)).toContain('npm install --global "$RALPH_E2E" @anthropic-ai/claude-code@');
    const { code, stdout } = await runCli(['claude', '--mock', '--scenarios', SCENARIOS], { cwd });
    expect(stdout).toContain('the stand-in for Claude Code does not play MCP servers (clock)');
    expect(code).toBe(2);
  });

  test.each<{ what: string; files: Files; has: readonly string[] }>([
    {
      what: 'only hooks',
      files: {
        'hooks/hooks.json': JSON.stringify({
          hooks: {
            SessionStart: [{ hooks: [{ type: 'command', command: 'echo started' }] }],
            PreToolUse: [{ matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'true' }] }],
          },
        }),
      },
      has: ["hookRan(1, 'SessionStart')", "hookRan(1, 'PreToolUse')"],
    },
    {
      what: 'only a skill for users',
      files: {
        'skills/folding/SKILL.md': '---\ndescription: Folds\n---\nFold the paper along its longer side.\n',
      },
      has: ['`/mine:folding ${nonce}`', "modelReceived(1, 'Fold the paper along its longer side.')"],
    },
    {
      what: 'only a skill for the model',
      files: {
        'skills/folding/SKILL.md':
          '---\ndescription: Folds\nuser-invocable: false\n---\nFold the paper along its longer side.\n',
      },
      has: [".calls('Skill', { skill: 'mine:folding' })", 'modelReceived(1,'],
    },
    {
      what: 'only an agent',
      files: {
        'agents/critic.md': '---\nname: critic\ndescription: Objects\n---\nYou object to everything.\n',
      },
      has: ['componentsOffered({', "agents: ['mine:critic']"],
    },
    {
      what: 'a command whose text is all arguments, and one that can be recognized',
      files: {
        'commands/anything.md': '$ARGUMENTS\n',
        'commands/status.md': 'Look at !`git status` and say what you see there.\n',
        'commands/sub/tidy.md':
          '---\ndescription: Tidies\n---\n# Tidy\n\nPut every file back to its place.\n',
      },
      has: [
        '`/mine:sub:tidy ${nonce}`',
        "'mine:anything'",
        "modelReceived(1, 'Put every file back to its place.')",
      ],
    },
    { what: 'nothing', files: {}, has: ["pluginLoaded('mine')"] },
  ])('drafts a conversation that passes for a plugin with $what', async ({ files, has }) => {
    const cwd = createRepository({
      '.claude-plugin/plugin.json': '{"name":"mine","version":"1.0.0","description":"Mine"}',
      ...files,
    });
    expect(await init(cwd, '--plugin', '--dry-run')).toContain("id: 'plugin-loads'");
    await init(cwd, '--plugin');
    const text = readFileSync(join(cwd, SCENARIOS), 'utf8');
    expect(has.filter((part) => !text.includes(part))).toEqual([]);
    expect(await runStep(cwd, stepWords(cwd))).toEqual(['plugin-loads passed']);
  });

  test('drafts a conversation for each plugin of a marketplace, or for the one that is named', async () => {
    const plugin = (name: string) => ({
      [`plugins/${name}/.claude-plugin/plugin.json`]: JSON.stringify({
        name,
        version: '1.0.0',
        description: 'x',
      }),
      [`plugins/${name}/commands/go.md`]: `Go to the place that is called ${name}.\n`,
    });
    const cwd = createRepository({
      '.claude-plugin/marketplace.json': JSON.stringify({
        name: 'market',
        owner: { name: 'me' },
        plugins: [
          { name: 'one', source: './plugins/one' },
          { name: 'two', source: './plugins/two' },
          { name: 'far', source: { source: 'github', repo: 'some/where' } },
        ],
      }),
      ...plugin('one'),
      ...plugin('two'),
    });
    expect(await init(cwd, '--plugin', 'two', '--dry-run')).toContain('`/two:go ${nonce}`');
    await init(cwd);
    expect(await runStep(cwd, stepWords(cwd))).toEqual(['one-loads passed', 'two-loads passed']);
    const { stderr } = await callCli(['init', '--plugin', 'far'], { cwd });
    expect(stderr).toMatch(/--plugin far: expected a plugin of the marketplace market, found one, two/);
  });

  test('a second time changes nothing, and says so', async () => {
    const cwd = createPlugin();
    await init(cwd);
    const before = listFiles(cwd).map((path) => readFileSync(join(cwd, path), 'utf8'));
    const printed = await init(cwd);
    expect(printed).toContain(`Unchanged: ${WORKFLOW}\nUnchanged: ${SCENARIOS}\nKept: ${PROGRAM}\n`);
    expect(listFiles(cwd).map((path) => readFileSync(join(cwd, path), 'utf8'))).toEqual(before);
  });

  test('keeps a file that is there, and writes the other', async () => {
    const cwd = createPlugin({ [SCENARIOS]: 'mine\n' });
    const printed = await init(cwd);
    expect(printed).toContain(`Kept: ${SCENARIOS}`);
    expect(readFileSync(join(cwd, SCENARIOS), 'utf8')).toBe('mine\n');
    expect(printed).toContain(`Written: ${WORKFLOW}`);
  });

  test.each([
    [
      'a link to where git finds programs',
      'ln -s .git .github',
      /Expected a folder at \.github, .*found a link/,
    ],
    ['a link that leads out', 'ln -s .. .github', /Expected a folder at \.github, .*found a link/],
    [
      'a pipe',
      `mkdir -p .github/workflows && mkfifo ${WORKFLOW}`,
      /Expected a regular file .*found a named pipe/,
    ],
  ])('refuses %s in the place of its files', async (_what, prepare, error) => {
    const folder = createRepository();
    execFileSync('sh', ['-c', prepare], { cwd: folder });
    const { code, stderr } = await callCli(['init', '--for', 'ralph'], { cwd: folder });
    expect([stderr, code]).toEqual([expect.stringMatching(error), 2]);
  });

  test('--dry-run shows files and differences, and writes nothing', async () => {
    const cwd = createPlugin({ [SCENARIOS]: 'mine\n\u001b]0;title\u0007\u001b[2Jhidden\n' });
    const before = listFiles(cwd);
    const printed = await init(cwd, '--dry-run');
    expect(listFiles(cwd)).toEqual(before);
    expect(printed).toContain(
      `Would write ${WORKFLOW}:\n\n${readFileSync(inProject('examples/ci/github/plugin.yml'), 'utf8')}`,
    );
    expect(printed).toMatch(
      /Would keep e2e\/scenarios\.mjs, which differs:\n[\s\S]*\n-mine\n[\s\S]*\n\+export const pluginLoads/,
    );
    expect(printed).toMatch(/^-.*hidden$/m);
    expect(printed).not.toContain('\u001b');
  });

  test('takes another folder, and prints commands that work from here', async () => {
    const cwd = tempFolder();
    cpSync(inProject('examples/hello'), join(cwd, 'hello'), { recursive: true });
    expect(await init(cwd, 'hello')).toContain('claude --mock --scenarios hello/e2e/scenarios.mjs');
    expect(listFiles(join(cwd, 'hello'))).toContain(WORKFLOW);
  });

  test.each<{ why: string; files: Files; flags: readonly string[]; error: RegExp }>([
    {
      why: 'both kinds',
      files: { 'ralph.yml': '', '.claude-plugin/plugin.json': '{"name":"x"}' },
      flags: [],
      error: /found both kinds/,
    },
    { why: 'no manifest', files: {}, flags: ['--for', 'plugin'], error: /expected the manifest of a plugin/ },
    {
      why: 'a manifest without a name',
      files: { '.claude-plugin/plugin.json': '{}' },
      flags: [],
      error: /expected the manifest of a plugin with its name/,
    },
    {
      why: 'an unknown kind',
      files: {},
      flags: ['--for', 'python'],
      error: /expected ralph or plugin, found "python"/,
    },
    {
      why: 'no folder',
      files: {},
      flags: ['nowhere'],
      error: /Expected a repository at .*nowhere, found nothing/,
    },
  ])('refuses $why, and writes nothing', async ({ files, flags, error }) => {
    const cwd = createRepository(files);
    const before = listFiles(cwd);
    const { code, stderr } = await callCli(['init', ...flags], { cwd });
    expect(stderr).toMatch(error);
    expect([listFiles(cwd), code]).toEqual([before, 2]);
  });
});
