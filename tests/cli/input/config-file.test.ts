import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { blameConfig, useConfigFile } from '../../../src/cli/input/config-file.js';
import { addRunOptions, type RunFlags } from '../../../src/cli/input/run-flags.js';
import { KnownError } from '../../../src/domain/common/known-error.js';
import { messageOf } from '../../../src/domain/common/message-of.js';
import { tempFolder } from '../../support/cli.js';

const before = process.cwd();
let said: string[] = [];

beforeEach(() => {
  process.chdir(tempFolder());
  said = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(before);
});

/** What a run gets from the command line, and from the config files in the current folder. */
async function optionsOf(args: readonly string[] = []): Promise<RunFlags> {
  let found: RunFlags = {};
  const program = new Command('ralph-e2e').exitOverride().argument('[backends...]');
  addRunOptions(program, { isWhole: true });
  program.hook('preAction', async (_program, command) => void (await useConfigFile(command)));
  program.action((_backends: string[], flags: RunFlags) => {
    found = flags;
  });
  await program.parseAsync(args, { from: 'user' });
  return found;
}

const config = (text: string, name = 'ralph-e2e.config.yaml') => writeFileSync(name, text);

describe('a config file', () => {
  test('gives options of every kind as the command line would', async () => {
    config(
      [
        'lane: sim',
        'ralph: ./target/debug/ralph',
        'jobs: 2',
        'timeout: 2m',
        'max-cost: 12.5',
        'filter: [hat, memory]',
        'report: [markdown, html]',
        'keep-workspace: true',
        'shuffle: 7',
      ].join('\n'),
    );
    expect(await optionsOf()).toEqual({
      lane: 'sim',
      ralph: ['./target/debug/ralph'],
      jobs: 2,
      timeoutSeconds: 120,
      maxUsd: 12.5,
      filters: ['hat', 'memory'],
      reports: ['markdown', 'html'],
      keepWorkspace: true,
      shuffleSeed: 7,
    });
    expect(said.join('')).toContain('Options from ralph-e2e.config.yaml: lane sim, ');
  });

  test('may be JSON', async () => {
    config('{ "mock": true }', 'ralph-e2e.config.json');
    expect(await optionsOf()).toEqual({ mock: true });
  });

  test('may have another name', async () => {
    config('mock: true');
    config('bail: true', 'nightly.yaml');
    expect(await optionsOf(['--config', 'nightly.yaml'])).toEqual({ config: 'nightly.yaml', bail: true });
  });

  test.each([
    ['filter: hat', ['--filter', 'memory'], { filters: ['memory'] }],
    ['mock: true', ['--lane', 'live'], { lane: 'live' }],
    ['max-failures: 3', ['--bail'], { bail: true }],
    ['retries: 2', ['--repeat', '5'], { repeat: { times: 5, threshold: null } }],
    ['analyzer: own.yml', ['--skip-analysis'], { skipAnalysis: true }],
    ['shard: 1/2', ['--analysis', 'always'], { analyze: 'always' }],
    ['analysis: always', ['--shard', '1/2'], { shard: { index: 1, total: 2 } }],
  ])('with %s gives way to %s', async (text, args, expected) => {
    config(text);
    expect(await optionsOf(args)).toEqual(expected);
    expect(said).toEqual([]);
  });

  test.each([
    [
      'max-failure: 3',
      'ralph-e2e.config.yaml: expected an option of a run, found "max-failure".',
      'max-failures',
    ],
    [
      'maxFailures: 3',
      'ralph-e2e.config.yaml: expected an option of a run, found "maxFailures".',
      'max-failures',
    ],
    ['config: other.yaml', 'ralph-e2e.config.yaml: expected an option of a run, found "config".', ''],
    [
      'jobs: many',
      'ralph-e2e.config.yaml: jobs many: expected a whole number of at least 1, such as jobs 3.',
      '',
    ],
    ['lane: simm', 'ralph-e2e.config.yaml: lane simm: expected live, scripted or sim.', 'sim'],
    ['mock: 1', 'ralph-e2e.config.yaml: mock: expected true or false, found 1.', ''],
    ['filter: {a: 1}', 'ralph-e2e.config.yaml: filter: expected a text, a number or a list of them', ''],
    ['filter: ""', 'ralph-e2e.config.yaml: filter "": expected a value', ''],
    ['ralf: ./ralph', 'expected an option of a run, found "ralf".', 'Did you mean ralph?'],
    ['backend: kiro', 'found "backend".', 'Backends go on the command line: `ralph-e2e claude`.'],
    ['backends: [kiro]', 'found "backends".', 'Backends go on the command line: `ralph-e2e claude`.'],
    [
      'mock: true\nlane: sim: x',
      'JSON, found: Nested mappings are not allowed in compact mappings at line 2, column 7: lane: sim: x',
      '',
    ],
    ['- lane', 'ralph-e2e.config.yaml: expected options and their values.', ''],
    ['lane: [sim', 'ralph-e2e.config.yaml: expected a config file in YAML or JSON, found: ', ''],
  ])('with %s is refused', async (text, message, hint) => {
    config(text);
    await expect(optionsOf()).rejects.toMatchObject({
      message: expect.stringContaining(message),
      ...(hint === '' ? {} : { hint: expect.stringContaining(hint) }),
    });
  });

  test('is refused beside another one', async () => {
    config('mock: true');
    config('{}', 'ralph-e2e.config.json');
    await expect(optionsOf()).rejects.toThrow('Expected one config file, found ');
  });

  test.each([
    ['ralph-e2e.config.yml', 'ralph-e2e.config.yaml'],
    ['ralph-e2e.config.yaml.json', null],
    ['.ralph-e2erc.json', 'ralph-e2e.config.json'],
    // What `--json` was written to, a scenario, the workflow of `init`.
    ['ralph-e2e.json', null],
    ['ralph-e2e.mjs', null],
    ['ralph-e2e.yml', null],
    ['ralph-e2e.config.ts', 'ralph-e2e.config.yaml'],
    ['ralph-e2e.md', null],
  ])('that is named %s is refused, not ignored: the name is %s', async (name, right) => {
    config('mock: true', name);
    if (right === null) expect(await optionsOf()).toEqual({});
    else
      await expect(optionsOf()).rejects.toMatchObject({
        message: `Found ${name}; the name is ${right}. It would be ignored.`,
        hint: expect.stringContaining(name.endsWith('.ts') ? 'YAML or JSON' : `--config ${name}`),
      });
  });

  test('takes the blame for what it says, and only for that', () => {
    const used = { file: 'own.yaml', flags: ['--ralph', '--filter'] };
    const blamed = (message: string) => messageOf(blameConfig(new KnownError(message), used));
    expect(blamed('--ralph names "x": expected an executable')).toBe(
      'own.yaml: ralph names "x": expected an executable',
    );
    expect(blamed('--filter hta: expected a pattern')).toBe('own.yaml: filter hta: expected a pattern');
    expect(blamed('--ralph-home and --test x: no')).toBe('--ralph-home and --test x: no');
    const bug = new Error('--ralph broke');
    expect(blameConfig(bug, used)).toBe(bug);
  });

  test('that is named must exist', async () => {
    await expect(optionsOf(['--config', 'none.yaml'])).rejects.toThrow(
      'none.yaml: expected a config file in YAML or JSON, found no file: it does not exist.',
    );
  });

  test('gives way where the command line chooses tests', async () => {
    config('filter: [hat]\nsuite: smoke\njobs: 2\n');
    expect(await optionsOf(['--test', 'hat-single'])).toEqual({ tests: ['hat-single'], jobs: 2 });
  });

  test('keeps its shard beside an analysis that nobody asks for', async () => {
    config('shard: 1/2');
    expect((await optionsOf(['--analysis', 'never'])).shard).toEqual({ index: 1, total: 2 });
  });

  test.each([[['--retries', '1']], [['--repeat', '1']]])(
    'keeps no threshold without its repeats: %j',
    async (args) => {
      config('repeat: 5\nthreshold: 0.9\n');
      expect((await optionsOf(args)).threshold).toBeUndefined();
      expect((await optionsOf(['--repeat', '8'])).threshold).toBe(0.9);
    },
  );

  test.each([
    ['output: [aa, bb]', 'ralph-e2e.config.yaml: output: expected one value, found ["aa","bb"].'],
    ['model: 2.10', 'ralph-e2e.config.yaml: model: expected a text, found the number 2.1.'],
  ])('refuses %s', async (text, message) => {
    config(`${text}\n`);
    await expect(optionsOf()).rejects.toThrow(message);
  });
});
