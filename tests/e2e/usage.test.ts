import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CLI, callCli, runCli, startCli, tempFolder } from '../support/cli.js';

describe('bad input', () => {
  test.each([
    [['--frobnicate'], /unknown option '--frobnicate'/],
    [['gemini-9'], /Unknown backend "gemini-9": expected claude, .*\bpi\b.* or all/],
    [['claude', 'doctor'], /Unknown backend "doctor"[\s\S]*comes first/],
    [
      ['nothing-like-this'],
      /Unknown backend "nothing-like-this"[^\n]*\nTo choose tests: --filter nothing-like-this .*Commands: doctor, .*serve, (?!.*mcp-stub).*sim, /,
    ],
    [['--mock', 'hat'], /Unknown backend "hat"[^\n]*\nTo choose tests: --filter hat .*--test hat /],
    [['help', 'foo'], /^error: Unknown command "foo"\.\nSee `ralph-e2e --help`\.\n$/],
    [['help', 'doctr'], /^error: Unknown command "doctr"\.\nDid you mean doctor\? See/],
    [['sim', 'help', 'foo'], /^error: Unknown command "sim foo"\.\nSee `ralph-e2e sim --help`\.\n$/],
    [['\u001b[31mred\u001b[0m\u0007'], /Unknown backend "red": expected/],
    [['claud'], /Unknown backend "claud"[\s\S]*Did you mean claude\?/],
    [['proov'], /Unknown backend "proov"[\s\S]*Did you mean prove\?/],
    [['sim', '--frobnicate'], /unknown option '--frobnicate'\n.*See `ralph-e2e sim --help`\./],
    [['sim', 'claude', '-p', 'hi'], /unknown option '-p'\nPut arguments for the CLI after `--`\./],
    [['sim', 'convert'], /missing required argument 'file'\nSee `ralph-e2e sim convert --help`\./],
    [['kiro', '--mock', '--filter', 'claude-connect'], /claude-connect runs on claude only, not on kiro\./],
    [
      ['--mock', '--exclude', 'hat-singel'],
      /--exclude hat-singel: .* found no match\.\nNearest: hat-single, /,
    ],
    [['--mock', '--priority', 'must'], /unknown option '--priority'\nChoose tests with --suite/],
    [['mcp-stub', '--script', 'stub.json'], /"mcp-stub" has gone: expected `ralph-e2e sim mcp`/],
    [['--mock', '--strict-known-issues'], /\nUse --fail-on fixed-issue\. See/],
    [['--mock', '-q', '--follow'], /--quiet and --follow cannot be combined/],
    [['doctr'], /Unknown backend "doctr"[\s\S]*Did you mean doctor\?/],
    [['claude', 'all'], /"all" and claude: expected "all" alone/],
    [
      ['--mock', '--filter', 'nothing-like-this'],
      /^error: --filter nothing-like-this: expected a pattern that matches a scenario, found no match\.\n.{0,200}`ralph-e2e --list --lane sim --suite all` lists the ids\.\n$/,
    ],
    [['--mock', '--filter', '/(/'], /expected a regular expression/],
    [['--lane', 'dream'], /--lane dream: expected live, scripted or sim/],
    [['--mock', '--lane', 'scripted'], /--mock means --lane sim, but --lane is scripted: choose one/],
    [['--mock', '--lane', 'live'], /--mock means --lane sim, but --lane is live: choose one/],
    [['--lane', 'live', '--mock', '--list'], /--mock means --lane sim, but --lane is live: choose one/],
    [['--mock', '--report', 'pdf'], /--report pdf: expected a comma-separated list of markdown, json, /],
    [['--mock', '--timeout', 'soon'], /--timeout soon: expected a time such as 90, 90s or 2m/],
    [['--mock', '--timeout', '0'], /--timeout 0: expected a time/],
    [['--mock', '--jobs', '0'], /--jobs 0: expected a whole number of at least 1, such as --jobs 3/],
    [['--mock', '--shuffle', 'random'], /--shuffle random: expected a seed that an earlier run printed/],
    [['--mock', '--repeat', '0'], /--repeat 0: expected a whole number of at least 1/],
    [['--mock', '--repeat', '3', '--retries', '1'], /--repeat and --retries cannot be combined/],
    [['--mock', '--threshold', '0.9'], /--threshold needs repeats to find a rate/],
    [
      ['--mock', '--repeat', '3', '--threshold', '0.9', '--bail'],
      /--threshold and --bail cannot be combined/,
    ],
    [['--mock', '--bail', '--max-failures', '3'], /--max-failures and --bail cannot be combined: choose one/],
    [
      ['--mock', '--max-failures', '0'],
      /--max-failures 0: expected a whole number of at least 1, such as --max-failures 3/,
    ],
    [['--mock', '--repeat', '3', '--threshold', '90'], /--threshold 90: expected a rate between 0 and 1/],
    [['--mock', '--retries', '-1'], /--retries -1: expected a whole number of at least 0/],
    [
      ['--mock', '--env', 'A=b'],
      /--env A=b: expected the name of a variable that is set, but this is not a name/,
    ],
    [['--mock', '--env', 'NOT_SET_ANYWHERE'], /--env NOT_SET_ANYWHERE: expected .* but it is not set/],
    [['--output', 'elsewhere', 'clean'], /--output comes before "clean", where it has no effect/],
    [['--mock', '-q', '-v'], /--quiet and --verbose cannot be combined/],
    [['--mock', '--ralph', '/nowhere/ralph'], /--ralph names "\/nowhere\/ralph": expected an executable/],
    [['--mock', '--ralph', '/'], /--ralph names "\/": expected an executable ralph there, found a folder\./],
    [
      ['--mock', '--ralph', '/bin/sh'],
      /\/bin\/sh \(from --ralph\) is not Ralph[^\n]*\n(?!.*--mock).*--ralph embedded/,
    ],
    [['--mock', '--last-failed'], /--last-failed: expected an earlier run/],
    [[], /No ralph was found[\s\S]*cargo install ralph-cli[\s\S]*--mock/],
  ])('%j gets one clear sentence and exit 2', async (args, sentence) => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await callCli(args, { cwd });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });

  test('a mistake in the call leaves nothing behind', async () => {
    const cwd = tempFolder();
    await callCli(['--mock', '--filter', 'nothing-like-this'], { cwd });
    await callCli([], { cwd });
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.runIf(process.platform === 'linux').each([
    [['--mock', '--output', '/proc/foo'], /Cannot create the folder \/proc\/foo: [\s\S]*--output/],
    [['--mock', '--output', '/proc/self/x/y'], /Cannot create the folder \/proc\/self\/x: /],
    [['prove', '--output', '/proc/foo/bar'], /Cannot create the folder \/proc\/foo: /],
    [['sim', 'claude', '--log', '/proc/foo/log'], /Cannot create the folder \/proc\/foo: [\s\S]*--log/],
    [['serve', '--record', 'http://127.0.0.1:1', '--script', '/proc/foo/s.yaml'], /Cannot create the folder/],
    [['--mock', '--output', '/dev/null'], /Expected a folder at \/dev\/null, found a device\.\nChoose/],
  ])('%j: where no folder can be made it ends at once', async (args, sentence) => {
    const { child, done } = startCli(args, { cwd: tempFolder() });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { code, stderr } = await done;
    expect(stderr).toMatch(sentence);
    expect(code).toBe(2);
  });

  test('a folder that is not ours is refused, not emptied', async () => {
    const cwd = tempFolder();
    const { code, stderr } = await callCli(['--mock', '--output', join(CLI, '../..')], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/is not a folder that ralph-e2e made: it contains /);
  });
});

describe('an option without content, as of a variable that is not set', () => {
  test.each([
    [['--mock', '--filter', '']],
    [['--mock', '--filter', 'claude-connect', '--filter', '']],
    [['--list', '--filter', '']],
    [['prove', '--filter', '']],
    [['--mock', '--ralph', '']],
    [['--mock', '--output', '']],
    [['prove', '--ralph', '\t']],
    [['clean', '--output', '']],
    [['show', '']],
    [['serve', '--script', '']],
  ])('%j is refused', async (args) => {
    const cwd = tempFolder();
    const { code, stdout, stderr } = await callCli(args, { cwd });
    expect(stderr).toMatch(
      /^error: (?:--\w+|<\w+>) "\s*": expected a value, found an empty string\.\n.*leave it out/,
    );
    expect(stdout).toBe('');
    expect(code).toBe(2);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('an empty argument of the CLI that `sim` plays is its own business', async () => {
    const { stderr } = await callCli(['sim', 'claude', '--', '-p', ''], { cwd: tempFolder() });
    expect(stderr).not.toMatch(/found an empty string/);
  });
});

describe('what needs no run', () => {
  test('--no-color is understood before and after a command', async () => {
    const cwd = tempFolder();
    const env = { FORCE_COLOR: '1' };
    for (const args of [
      ['--no-color', 'doctor', '--lane', 'sim'],
      ['doctor', '--lane', 'sim', '--no-color'],
    ])
      expect(await runCli(args, { cwd, env })).toMatchObject({ code: 0, stderr: '' });
    const colored = await runCli(['claude', '--mock', '--test', 'claude-connect'], { cwd, env });
    expect(colored.stdout).toContain('\u001b[');
    const plain = await runCli(['claude', '--mock', '--no-color', '--test', 'claude-connect'], { cwd, env });
    expect(plain.code).toBe(0);
    expect(plain.stdout).not.toContain('\u001b[');
  });

  test('--list counts as a run does', async () => {
    const cwd = tempFolder();
    const chosen = ['--mock', '--test', 'max-iterations', '--test', 'claude-connect'];
    const list = await callCli([...chosen, '--list'], { cwd });
    expect(list.stdout).toMatch(/^4 tests \(2 scenarios\); agent calls: /m);
    const run = await callCli(chosen, { cwd });
    expect(run.stdout).toMatch(/^Running 4 tests \(2 scenarios\)\.\.\.$/m);
    expect(run.stdout).toMatch(/^4 tests passed in /m);
  });

  test('--list names the backends of this call', async () => {
    const list = await callCli(['claude', '--mock', '--list', '--filter', 'memory'], { cwd: tempFolder() });
    expect(list.stdout).toMatch(/^ {2}memory-add .* \(on claude\)$/m);
    expect(list.stdout).not.toContain('In the sim lane');
  });

  test.each([
    [['sim', 'live', 'live'], [], 'In the sim lane, 1 more scenario would run: see --lane sim --list.'],
    [['sim', 'sim', 'live'], ['--shard', '1/2'], 'In the sim lane, 2 more scenarios would run: '],
    [['live', 'live'], [], null],
    [['sim', 'live'], ['--test', 'one-1'], null],
  ])('--list of scenarios for %j with %j says what the sim lane runs besides', async (lanes, more, line) => {
    const cwd = tempFolder();
    const define = (lane: string, index: number) =>
      `conversation({ id: 'one-${index}', description: 'd', lanes: ['${lane}'], arrange: () => ({ turns: ['Go.'] }), expect: () => ({ ends: turnsCompleted() }), agent: [] })`;
    const text = `import { conversation, turnsCompleted } from 'ralph-e2e';\nexport default [${lanes.map(define).join(',')}];\n`;
    writeFileSync(join(cwd, 'mine.mjs'), text);
    const { code, stdout } = await runCli(['--list', '--scenarios', 'mine.mjs', ...more], { cwd });
    expect(stdout).toContain('one-');
    if (line === null) expect(stdout).not.toContain('In the sim lane');
    else expect(stdout).toContain(line);
    expect(code).toBe(0);
  });

  test('help is a command too', async () => {
    const cwd = tempFolder();
    const help = await callCli(['help'], { cwd });
    expect(help).toEqual(await callCli(['--help'], { cwd }));
    expect(help.code).toBe(0);
    expect(await callCli(['help', 'prove'], { cwd })).toEqual(await callCli(['prove', '--help'], { cwd }));
  });

  test('--mock and --lane sim say the same', async () => {
    const { code, stdout } = await callCli(['--mock', '--lane', 'sim', '--list'], { cwd: tempFolder() });
    expect(code).toBe(0);
    expect(stdout).toMatch(/claude-connect/);
  });

  test('--version and --help', async () => {
    const cwd = tempFolder();
    expect(await callCli(['--version'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    const help = await callCli(['--help'], { cwd });
    expect(help.code).toBe(0);
    for (const word of ['--filter', '--lane', '--mock', 'doctor', 'clean', '130'])
      expect(help.stdout).toContain(word);
  });

  test('--help fits a screen, and --help --all has every option in its group', async () => {
    const cwd = tempFolder();
    const { stdout: short } = await callCli(['--help'], { cwd });
    const lines = short.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(short).toContain('--help --all');
    expect(short).not.toContain('--shuffle');
    const { stdout: whole } = await callCli(['--help', '--all'], { cwd });
    for (const word of ['Which tests:', 'Which Ralph and agents:', 'Money:', 'CI:', '--shuffle', '--version'])
      expect(whole).toContain(word);
  });

  test('--list groups by tier and --list --json tells everything about a scenario', async () => {
    const cwd = tempFolder();
    const { stdout } = await callCli(['--list'], { cwd });
    expect(stdout).toMatch(/Tier 1: Connectivity\n {2}claude-connect/);
    const listed = JSON.parse(
      (
        await callCli(
          [
            '--list',
            '--json',
            '--filter',
            '/^(?:timeout-handling|max-iterations|auth-failure|backend-unavailable)$/',
          ],
          { cwd },
        )
      ).stdout,
    );
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([
      'timeout-handling',
      'max-iterations',
      'auth-failure',
      'backend-unavailable',
    ]);
    expect(listed[1]).toEqual({
      id: 'max-iterations',
      tier: 7,
      kind: 'ralph',
      priority: 'should',
      phase: 'red',
      description: expect.any(String),
      backends: ['claude', 'kiro', 'opencode'],
      lanes: ['live', 'scripted', 'sim'],
      covers: ['FR5', 'FR9'],
      agent_calls: 3,
    });
    expect(readdirSync(cwd)).toEqual([]);
  });
});

test.each([
  [['--mock', '--jobs', 'many', '--help'], /^Usage: ralph-e2e \[options\]/],
  [['show', '--frobnicate', '-h'], /^Usage: ralph-e2e show /],
  [['sim', 'convert', '--help'], /^Usage: ralph-e2e sim convert /],
])('%j prints help, whatever else is wrong', async (args, begin) => {
  const { code, stdout, stderr } = await callCli(args, { cwd: tempFolder() });
  expect([code, stderr, stdout]).toEqual([0, '', expect.stringMatching(begin)]);
});
