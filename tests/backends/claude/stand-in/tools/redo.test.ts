import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AgentScript, Redo } from '../../../../../src/domain/agent-script.js';
import { type Guards, NO_GUARDS } from '../../../../../src/domain/recording/guards.js';
import { parseCommand } from '../../../../../src/domain/recording/shell/parse.js';
import { makeStage } from '../../../support/stand-in-cli.js';

const SCRIPT = 'echo made by the scenario\n';
const GUARDS: Guards = {
  ...NO_GUARDS,
  files: { 'ours.sh': createHash('sha256').update(SCRIPT).digest('hex') },
  folders: ['bin'],
  hooks: ['touch arranged-hook'],
};

type Use = { readonly tool: string; readonly input: Record<string, unknown>; readonly how: Redo['how'] };

/** A stand-in that plays one recorded tool call, whatever a plan would have said about it. */
function play({ tool, input, how }: Use) {
  const script: AgentScript = {
    version: 1,
    recording: { guards: GUARDS },
    rules: [
      {
        name: 'iteration 1',
        when: { recorded: { prompt: 'Go.', workspace: '/old/place' } },
        respond: { steps: [{ do: 'tool', name: tool, input, redo: { result: '', isError: false, how } }] },
        turns: [],
      },
    ],
  };
  const stage = makeStage({ name: 'script.json', text: JSON.stringify(script) }, { log: true });
  stage.write('ours.sh', SCRIPT);
  stage.write('a.txt', 'a');
  const run = (command = 'claude') => {
    stage.run(command, ['-p', 'Go.', '--dangerously-skip-permissions']);
    return stage.calls().findLast(({ outcome }) => outcome !== 'not-a-prompt');
  };
  return { stage, run };
}

const command = (line: string, recorded = 'touch escaped'): Use => ({
  tool: 'Bash',
  input: { command: recorded },
  how: { kind: 'command', line: parseCommand(line) ?? [], sameResult: false },
});

describe('a recorded command', () => {
  test('is run from its parsed words, and its recorded text is only shown', () => {
    const { stage, run } = play(command("printf '%s' '$(touch escaped)' > made.txt"));
    expect(run()).toMatchObject({ outcome: 'played' });
    expect(stage.file('made.txt')).toBe('$(touch escaped)');
    expect(existsSync(join(stage.cwd, 'escaped'))).toBe(false);
  });

  test('works in the new folder', () => {
    const { stage, run } = play(command('cp /old/place/a.txt /old/place/b.txt'));
    expect(run()).toMatchObject({ outcome: 'played' });
    expect(stage.file('b.txt')).toBe('a');
  });

  test.each([
    ['names a file outside', 'cat /etc/passwd'],
    ['is outside after renaming', 'cat /old/place/../x'],
    ['starts another program', 'env touch escaped'],
    ['changes a script of the scenario', 'cp a.txt ours.sh'],
    ['changes the configuration', 'touch ralph.yml'],
    ['adds a program', 'touch bin/cat'],
    ['starts a file that is no script of the scenario', 'sh a.txt'],
  ])('that %s is a divergence', (_, line) => {
    const { stage, run } = play(command(line));
    expect(run()).toMatchObject({
      outcome: 'diverged',
      detail: expect.stringContaining('A replay does not do this'),
    });
    expect(existsSync(join(stage.cwd, 'escaped'))).toBe(false);
  });

  test('does not write through a link', () => {
    const { stage, run } = play(command('echo x > out/x.txt'));
    symlinkSync(stage.home, join(stage.cwd, 'out'));
    expect(run()).toMatchObject({ outcome: 'diverged', detail: expect.stringContaining('is a link') });
    expect(existsSync(join(stage.home, 'x.txt'))).toBe(false);
  });

  test('does not copy a link to write through the copy', () => {
    const { stage, run } = play(command('cp -r folder copy && echo x > copy/out'));
    mkdirSync(join(stage.cwd, 'folder'));
    symlinkSync(join(stage.home, 'x.txt'), join(stage.cwd, 'folder/out'));
    expect(run()).toMatchObject({ outcome: 'diverged', detail: expect.stringContaining('contains a link') });
    expect(existsSync(join(stage.home, 'x.txt'))).toBe(false);
  });
});

describe('a script of the scenario', () => {
  test('runs as it is', () => {
    expect(play({ ...command('sh ours.sh > out.txt') }).run()).toMatchObject({ outcome: 'played' });
  });

  test('does not run if something changed it', () => {
    const { stage, run } = play(command('sh ours.sh'));
    stage.write('ours.sh', 'touch escaped');
    expect(run()).toMatchObject({
      outcome: 'diverged',
      detail: expect.stringContaining('not as the scenario put it'),
    });
    expect(existsSync(join(stage.cwd, 'escaped'))).toBe(false);
  });
});

test.each(['/old/place/.git/hooks/pre-commit', '/old/place/ours.sh', '/etc/hosts', '/old/place/../x'])(
  'a file tool does not write %s',
  (file_path) => {
    const { run } = play({ tool: 'Write', input: { file_path, content: 'x' }, how: { kind: 'file' } });
    expect(run()).toMatchObject({ outcome: 'diverged' });
  },
);

test('files that a shown command left are not written outside or over what is guarded', () => {
  for (const path of ['../x', '/etc/x', '.git/config', 'bin/cat']) {
    const how: Redo['how'] = { kind: 'show', line: [], writes: [{ path, text: 'x' }], removes: [] };
    expect(play({ tool: 'Bash', input: { command: 'make' }, how }).run()).toMatchObject({
      outcome: 'diverged',
    });
  }
});

test('only the hooks that the scenario arranged run', () => {
  const { stage, run } = play(command('cat a.txt'));
  const hooks = ['touch arranged-hook', 'touch other-hook'].map((text) => ({
    type: 'command',
    command: text,
  }));
  stage.write(
    '.claude/settings.json',
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks }] } }),
  );
  run();
  expect([existsSync(join(stage.cwd, 'arranged-hook')), existsSync(join(stage.cwd, 'other-hook'))]).toEqual([
    true,
    false,
  ]);
});

test('another stand-in, which would not look at the call, does not play it', () => {
  const { stage, run } = play({ ...command('cat a.txt'), tool: 'execute_bash' });
  stage.run('kiro-cli', ['chat', '--no-interactive', '--trust-all-tools', 'Go.']);
  expect(stage.calls().at(-1)).toMatchObject({ outcome: 'diverged' });
  expect(existsSync(join(stage.cwd, 'escaped'))).toBe(false);
  expect(run).toBeTypeOf('function');
});
