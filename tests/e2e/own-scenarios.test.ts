import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { evidenceSchema } from '../../src/domain/evidence/evidence.js';
import { reportSchema } from '../../src/domain/report/report.js';
import { covers } from '../coverage/covers.js';
import { runCli, tempFolder } from '../support/cli.js';

const INDEX = new URL('../../dist/index.js', import.meta.url).href;

/** A conversation of two turns with a plugin that is written out in the scenario itself. */
const OWN = `
import { conversation, fileContains, onPrompt, turnsCompleted, turnSuggests } from '${INDEX}';

export const greeting = conversation({
  id: 'greeting',
  tier: 8,
  priority: 'must',
  phase: 'green',
  description: 'The plugin greets and says how to go on',
  covers: [],
  arrange: ({ nonce }) => ({
    plugins: [{
      name: 'hello',
      files: {
        '.claude-plugin/plugin.json': JSON.stringify({ name: 'hello', version: '1.0.0', description: 'Greets', author: { name: 'me' } }),
        'commands/greet.md': 'Greet $ARGUMENTS in hello.txt, then suggest /hello:leave.\\n',
      },
    }],
    turns: ['/greet ' + nonce, 'thank you'],
  }),
  expect: ({ nonce }) => [turnsCompleted(), turnSuggests(1, '/leave'), fileContains('hello.txt', 'Hello ' + nonce.toUpperCase())],
  agent: [
    onPrompt(/Greet (\\w+) in hello/).writes('hello.txt', 'Hello {{upper 1}}').says('Done. Next: /hello:leave'),
    onPrompt('thank you').says('You are welcome.'),
  ],
});
`;

function writeModule(text: string): string {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'mine.mjs'), text);
  return cwd;
}

/** The library as it is installed elsewhere. Returns where it is imported from. */
function copyLibrary(): string {
  const dist = dirname(fileURLToPath(INDEX));
  const copy = join(tempFolder(), 'dist');
  mkdirSync(copy);
  for (const file of ['../package.json', 'index.js', 'program.js', 'program.cjs', 'rest.cjs'])
    copyFileSync(join(dist, file), join(copy, file));
  return pathToFileURL(join(copy, 'index.js')).href;
}

describe('--scenarios', () => {
  test('runs a conversation of the user, and nothing of ours', async () => {
    covers('H44', 'H71');
    const cwd = writeModule(OWN);
    const { code, stdout } = await runCli(['--mock', '--scenarios', 'mine.mjs', '--json'], { cwd });
    const report = reportSchema.parse(JSON.parse(stdout));
    expect(report.results.map(({ scenario_id, outcome }) => [scenario_id, outcome])).toEqual([
      ['greeting', 'passed'],
    ]);
    expect(code).toBe(0);
  });

  test('a conversation needs no ralph', async () => {
    const cwd = writeModule(OWN);
    const lane = ['claude', '--lane', 'scripted', '--json'];
    const { stdout } = await runCli([...lane, '--scenarios', 'mine.mjs'], { cwd });
    expect(reportSchema.parse(JSON.parse(stdout)).target.kind).toBe('stand-in');
    const { code, stderr } = await runCli([...lane, '--filter', 'claude-connect'], { cwd });
    expect(stderr).toContain('No ralph was found');
    expect(code).toBe(2);
  });

  test('a conversation that goes wrong is a failure with its reason', async () => {
    const cwd = writeModule(OWN.replace("writes('hello.txt'", "writes('elsewhere.txt'"));
    const { code, stdout } = await runCli(['--mock', '--scenarios', 'mine.mjs', '--json'], { cwd });
    const [result] = reportSchema.parse(JSON.parse(stdout)).results;
    expect(result?.assertions.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^hello\.txt contains "Hello [A-Z0-9]+"$/),
    ]);
    expect(code).toBe(1);
  });

  test('a conversation that breaks off tells what was used until then', async () => {
    const cwd = writeModule(
      OWN.replace("'thank you'],", "'thank you'], allowedTools: ['Bash'],").replace(
        "says('You are welcome.')",
        "says('Wait.').runs('kill -9 $PPID')",
      ),
    );
    const { stdout } = await runCli(['--mock', '--scenarios', 'mine.mjs', '--json'], { cwd });
    const { run_id, results } = reportSchema.parse(JSON.parse(stdout));
    const path = join(cwd, '.e2e-tests/runs', run_id, 'greeting-claude/1/evidence.json');
    const { usage, conversation } = evidenceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const [first, second] = conversation?.turns ?? [];
    expect([first?.outcome.kind, second?.outcome.kind]).toEqual(['completed', 'crashed']);
    expect(first?.totalCostUsd).toBeGreaterThan(0);
    expect(second?.totalCostUsd).toBe(first?.totalCostUsd);
    const inputTokens = Number(first?.inputTokens) + Number(second?.inputTokens);
    expect(inputTokens).toBeGreaterThan(Number(first?.inputTokens));
    expect(usage).toMatchObject({ turns: 2, inputTokens, costUsd: first?.totalCostUsd });
    expect(results[0]?.context?.usage).toMatchObject({ turns: 2, input_tokens: inputTokens });
  });

  test.each([
    [
      'a file that is not there',
      'absent.mjs',
      /absent\.mjs: expected a module that exports scenarios, but this file does not exist/,
    ],
    [
      'a module without scenarios',
      'mine.mjs',
      /mine\.mjs: expected a module that exports scenarios, but it exports nothing/,
    ],
  ])('%s is a mistake of the call', async (_, file, wanted) => {
    const cwd = writeModule('export {};');
    const { code, stderr } = await runCli(['--mock', '--scenarios', file], { cwd });
    expect(stderr).toMatch(wanted);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });

  test.each([
    [
      'an id that is no name',
      (text: string) => text.replace("'greeting'", "'Bad Id!'"),
      /id: expected a plain name such as "hat-single", found the string "Bad Id!"/,
    ],
    [
      'an unknown phase',
      (text: string) => text.replace("phase: 'green'", "phase: 'purple'"),
      /scenario "greeting": phase: /,
    ],
    [
      'covers that are no list',
      (text: string) => text.replace('covers: []', 'covers: 7'),
      /scenario "greeting": covers: /,
    ],
  ])('a scenario with %s is a mistake in the module', async (_, change, wanted) => {
    const cwd = writeModule(change(OWN));
    const { code, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd });
    expect(stderr).toMatch(wanted);
    // Neither a stack nor a warning of Node: the module is loaded as any other.
    expect(stderr).not.toMatch(/\n\s+at |Warning|Try it alone/);
    expect(code).toBe(2);
  });

  test.each(['the one that runs it', 'another copy'])(
    'mistakes are told without a stack, whichever library told them: %s',
    async (which) => {
      // A command line that was installed for the whole machine runs modules with a library of their own.
      const own = which === 'another copy' ? OWN.replace(INDEX, copyLibrary()) : OWN;
      const refusing = own
        .replace('import { conversation', 'import { KnownError, conversation')
        .replace(
          'arrange: ({ nonce }) => ({',
          "arrange: ({ nonce }) => { throw new KnownError('no colours here', { hint: 'paint' }); return ({",
        )
        .replace("'thank you'],\n  }),", "'thank you'],\n  }); },");
      const json = ['--mock', '--scenarios', 'mine.mjs', '--json'];
      const { stdout } = await runCli(json, { cwd: writeModule(refusing) });
      const [result] = reportSchema.parse(JSON.parse(stdout)).results;
      expect(result?.error).toBe('no colours here (paint)');
      const badId = writeModule(own.replace("'greeting'", "'Bad Id!'"));
      const { code, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd: badId });
      expect(stderr).toMatch(/^error: --scenarios mine\.mjs: .*expected a plain name/);
      expect(stderr).not.toMatch(/\n\s+at |cannot be loaded/);
      expect(code).toBe(2);
    },
  );

  test('a module that does not parse is told by its own words', async () => {
    const cwd = writeModule('export const = 1;');
    const { code, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd });
    expect(stderr).toMatch(/mine\.mjs: cannot load the module: .*Unexpected token/);
    expect(code).toBe(2);
  });
});

/** Reports how often the program was loaded, when it ends. */
const COUNT_LOADS = `
const vm = require('node:vm');
let loads = 0;
vm.Script = class extends vm.Script {
  constructor(text, options) {
    super(text, options);
    if (/program\\.cjs$/.test(options?.filename)) loads += 1;
  }
};
process.on('exit', () => process.stderr.write('loads: ' + loads));
`;

describe('a scenario file that imports ralph-e2e by its name', () => {
  const asModule = OWN.replace(INDEX, 'ralph-e2e');
  const asCommonJs = asModule
    .replace(/import (.*) from 'ralph-e2e'/, "const $1 = require('ralph-e2e')")
    .replace('export const greeting =', 'exports.greeting =');

  const modules: Readonly<Record<string, string>> = {
    'mine.mjs': asModule,
    'mine.cjs': asCommonJs,
    // From Node 22.18 on.
    ...(Reflect.get(process.features, 'typescript') ? { 'mine.ts': asModule } : {}),
  };

  test.each(Object.entries(modules))('gets the program that runs it, loaded once: %s', async (file, text) => {
    const cwd = tempFolder();
    mkdirSync(join(cwd, 'deep/down'), { recursive: true });
    writeFileSync(join(cwd, 'deep/down', file), text);
    writeFileSync(join(cwd, 'count.cjs'), COUNT_LOADS);
    const { code, stderr } = await runCli(['--mock', '--scenarios', `deep/down/${file}`], {
      cwd,
      env: { NODE_OPTIONS: `--require=${join(cwd, 'count.cjs')}` },
    });
    expect([code, stderr]).toEqual([0, 'loads: 1']);
  });

  test('gets it also where another copy is installed beside the file', async () => {
    const cwd = writeModule(asModule);
    const other = join(cwd, 'node_modules/ralph-e2e');
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, 'package.json'), '{"name":"ralph-e2e","version":"9.9.9","main":"index.js"}');
    writeFileSync(join(other, 'index.js'), "throw new Error('the other copy was loaded');");
    const { code, stderr } = await runCli(['--mock', '--scenarios', 'mine.mjs'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
  });
});
