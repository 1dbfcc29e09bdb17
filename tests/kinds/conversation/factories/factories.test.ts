// Starts programs, or takes seconds: in the project `whole`.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProject, installPlugin, onAnyPrompt, onPrompt, openSession } from '../../../../src/index.js';
import { listParentMemoryPatterns } from '../../../../src/workspace/claude-isolation.js';
import { covers } from '../../../coverage/covers.js';
import { tempFolder } from '../../../support/cli.js';

const HELLO = {
  name: 'hello',
  files: {
    '.claude-plugin/plugin.json': '{"name":"hello","version":"1.0.0","description":"d"}',
    'commands/greet.md': 'Write a greeting for $ARGUMENTS.\n',
  },
};
const AGENT = [
  onPrompt(/greeting for (\w+)/)
    .writes('greeting.txt', 'Hello, {{upper 1}}')
    .says('Written.'),
  onPrompt('wait').says('I wait.').hangs(),
  onAnyPrompt().says('Yes?'),
];

/** Everything is created in this folder, so that leftovers are visible. */
let place = '';
const before = process.env.TMPDIR;

beforeEach(() => {
  place = join(tempFolder(), 'tmp');
  mkdirSync(place);
  process.env.TMPDIR = place;
});

afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
});

const fromHere = (path: string) => relative(process.cwd(), path);

/** Lists the leftovers, without the folders of the test itself. */
const left = () => readdirSync(place).filter((name) => !name.startsWith('ralph-e2e-test-'));

describe('createProject', () => {
  test('makes a git repo with a planted defect, and leaves nothing behind', async () => {
    covers('H72');
    expect(tmpdir()).toBe(place);
    const project = await createProject({ type: 'cli', language: 'python', defect: 'add-subtracts' });
    expect(project.files).toContain('calculator/operations.py');
    expect(existsSync(join(project.path, '.git'))).toBe(true);
    await project.close();
    await project.close();
    expect(left()).toEqual([]);
  });

  test('is removed at the end of its block, and at once if it cannot be created', async () => {
    let path = '';
    {
      await using project = await createProject({ type: 'library', language: 'go', git: false });
      path = project.path;
      expect(readdirSync(path)).not.toContain('.git');
    }
    expect(existsSync(path)).toBe(false);
    await expect(createProject({ type: 'library', language: 'go', name: '!' })).rejects.toThrow(
      'not a valid project name',
    );
    expect(left()).toEqual([]);
  });
});

describe('installPlugin', () => {
  test('copies a plugin, so that a test can change it, and lists its content', async () => {
    covers('H73');
    const original = await installPlugin(HELLO);
    const copy = await installPlugin(original.path);
    expect(copy).toMatchObject({ name: 'hello', configFolder: null, problems: [] });
    expect(copy.commands.map(({ name }) => name)).toEqual(['hello:greet']);
    writeFileSync(join(copy.path, 'commands/greet.md'), 'Changed.\n');
    await copy.close();
    expect(existsSync(join(original.path, 'commands/greet.md'))).toBe(true);
    await original.close();
    expect(left()).toEqual([]);
  });

  test('installs from a marketplace with Claude Code, in a separate configuration folder', async () => {
    const folder = tempFolder();
    const list = { name: 'shop', plugins: [{ name: 'hello', source: './hello' }] };
    mkdirSync(join(folder, '.claude-plugin'));
    writeFileSync(join(folder, '.claude-plugin/marketplace.json'), JSON.stringify(list));
    for (const [path, text] of Object.entries(HELLO.files)) {
      mkdirSync(dirname(join(folder, 'hello', path)), { recursive: true });
      writeFileSync(join(folder, 'hello', path), text);
    }
    // Writes the requests to its configuration folder, and lists what it was asked to install.
    const executable = join(folder, 'claude');
    writeFileSync(
      executable,
      `#!/bin/sh
echo "$*" >> "$CLAUDE_CONFIG_DIR/asked"
case "$*" in
  "plugin list --json") echo '[{"id":"hello@shop","installPath":"${folder}/hello"}]' ;;
  "plugin install bad@shop") echo 'no such plugin' >&2; exit 1 ;;
esac
`,
    );
    chmodSync(executable, 0o755);
    const plugin = await installPlugin({ name: 'hello', marketplace: fromHere(folder) }, { executable });
    expect(plugin.path).toBe(join(folder, 'hello'));
    expect(plugin.configFolder?.startsWith(place)).toBe(true);
    expect(readdirSync(plugin.configFolder ?? '')).toEqual(['asked']);
    // The CLI works in another folder, where a relative path leads nowhere.
    const asked = readFileSync(join(plugin.configFolder ?? '', 'asked'), 'utf8');
    expect(asked.split('\n')).toContain(`plugin marketplace add ${folder}`);
    await plugin.close();
    await expect(installPlugin({ name: 'bad', marketplace: folder }, { executable })).rejects.toThrow(
      'bad@shop was not installed: no such plugin',
    );
    await expect(installPlugin({ name: 'hello', marketplace: place })).rejects.toThrow(
      'is not a marketplace',
    );
    expect(left()).toEqual([]);
    expect(existsSync(join(folder, 'hello/commands/greet.md'))).toBe(true);
  });
});

describe('openSession', () => {
  test('talks with a plugin about a project; closing ends the CLI and leaves nothing', async () => {
    covers('H51', 'H71', 'H73', 'H81');
    const project = await createProject({ type: 'cli', language: 'javascript' });
    const plugin = await installPlugin(HELLO);
    const session = await openSession({ project, plugins: [plugin], agent: AGENT });
    expect(session.commands.map(({ name }) => name)).toContain('hello:greet');
    expect((await session.say('/greet alfred')).outcome).toEqual({ kind: 'completed' });
    expect(existsSync(join(project.path, 'greeting.txt'))).toBe(true);
    expect(session.about?.plugins.map(({ name }) => name)).toContain('hello');
    expect((await session.say('/nonsense')).outcome).toMatchObject({ kind: 'unknown-command' });
    const waiting = session.say('wait');
    await session.close();
    expect((await waiting).outcome.kind).toBe('crashed');
    expect((await session.say('still there?')).outcome.kind).toBe('crashed');
    expect(session.turns).toHaveLength(4);
    await plugin.close();
    await project.close();
    expect(left()).toEqual([]);
  });

  test('keeps the content of files for every turn', async () => {
    covers('C56');
    await using project = await createProject({ type: 'cli', language: 'javascript', git: false });
    await using session = await openSession({ project, agent: AGENT, reads: ['greeting.txt'] });
    await session.say('a greeting for alfred');
    await session.say('a greeting for berta');
    await session.say('and now');
    const texts = [0, 1, 2, 3].map((turn) => session.fileAfter(turn, 'greeting.txt'));
    expect(texts).toEqual([
      { kind: 'absent' },
      { kind: 'whole', text: 'Hello, ALFRED', scrubbed: false },
      { kind: 'whole', text: 'Hello, BERTA', scrubbed: false },
      { kind: 'whole', text: 'Hello, BERTA', scrubbed: false },
    ]);
    expect(session.snapshots.map(({ turn, files }) => [turn, files.length])).toEqual([
      [0, 0],
      [1, 1],
      [2, 1],
      [3, 0],
    ]);
  });

  test('accepts relative paths', async () => {
    await using project = await createProject({ type: 'cli', language: 'javascript' });
    await using plugin = await installPlugin(HELLO);
    await using session = await openSession({
      ...{ project: fromHere(project.path), plugins: [fromHere(plugin.path)], agent: AGENT },
    });
    expect((await session.say('/greet alfred')).outcome).toEqual({ kind: 'completed' });
    expect(existsSync(join(project.path, 'greeting.txt'))).toBe(true);
    await expect(openSession({ project: './nowhere', agent: AGENT })).rejects.toThrow(
      'Expected a project at',
    );
  });

  test('keeps instructions above the real folder out, by whichever way it is named', async () => {
    await using project = await createProject({ type: 'cli', language: 'javascript', git: false });
    const link = join(tempFolder(), 'link');
    symlinkSync(project.path, link);
    const executable = join(tempFolder(), 'claude');
    writeFileSync(executable, `#!/bin/sh\nprintf '%s\\n' "$@" > "${executable}.args"\nexit 1\n`);
    chmodSync(executable, 0o755);
    for (const way of [fromHere(project.path), link]) {
      const request = { project: way, lane: 'scripted', executable, agent: AGENT } as const;
      await expect(openSession(request)).rejects.toThrow('exit 1');
      const args = readFileSync(`${executable}.args`, 'utf8').split('\n');
      const settings = JSON.parse(args[args.indexOf('--settings') + 1] ?? '');
      expect(settings.claudeMdExcludes).toEqual(listParentMemoryPatterns(project.path));
    }
  });

  test('holds conversations with OpenCode as well', async () => {
    await using project = await createProject({ type: 'cli', language: 'javascript' });
    await using session = await openSession({ backend: 'opencode', project, agent: AGENT });
    expect((await session.say('a greeting for alfred')).text).toBe('Written.');
    expect((await session.say('and now')).text).toBe('Yes?');
    expect(session.id).toMatch(/^ses_/);
  });

  test('refuses what cannot work, and leaves nothing behind', async () => {
    const project = tempFolder();
    const request = { project, agent: AGENT };
    await expect(openSession({ project })).rejects.toThrow(
      'The sim lane needs rules for what the agent says',
    );
    await expect(openSession({ ...request, lane: 'scripted', executable: '/no/claude' })).rejects.toThrow(
      'expected /no/claude',
    );
    await expect(openSession({ ...request, backend: 'opencode', plugins: [project] })).rejects.toThrow(
      'OpenCode cannot load Claude Code plugins',
    );
    await expect(openSession({ ...request, backend: 'kiro' })).rejects.toThrow('cannot hold conversations');
    const fake = { ...(await installPlugin(HELLO)), configFolder: '/config' };
    await expect(openSession({ ...request, plugins: [fake, fake] })).rejects.toThrow('found several');
    await fake.close();
    expect(left()).toEqual([]);
  });
});
