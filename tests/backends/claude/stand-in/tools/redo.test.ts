import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentScript, Redo } from '../../../../../src/domain/agent-script.js';
import { makeFixture } from '../../../support/stand-in-cli.js';

interface Use {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly how: Redo['how'];
  readonly isError?: boolean;
}

/** A stand-in that plays one recorded tool call. */
function play({ tool, input, how, isError = false }: Use) {
  const redo = { result: 'as recorded', isError, how };
  const script: AgentScript = {
    format: 1,
    recording: {},
    rules: [
      {
        name: 'iteration 1',
        when: { recorded: { prompt: 'Go.', workspace: '/old/place' } },
        respond: { steps: [{ do: 'tool', name: tool, input, redo }] },
        turns: [],
      },
    ],
  };
  const fixture = makeFixture({ name: 'script.json', text: JSON.stringify(script) }, { log: true });
  fixture.write('a.txt', 'a');
  const run = () => {
    fixture.run('claude', ['-p', 'Go.', '--dangerously-skip-permissions']);
    return fixture.calls().findLast(({ outcome }) => outcome !== 'not-a-prompt');
  };
  return { fixture, run };
}

const command = (text: string, sameResult = false, isError = false): Use => ({
  ...{ tool: 'Bash', input: { command: text }, how: { kind: 'command', sameResult }, isError },
});

test('a recorded command runs as it was, in the new folder', () => {
  const { fixture, run } = play(command('cp /old/place/a.txt /old/place/b.txt && cat "$(pwd)/b.txt"'));
  expect(run()).toMatchObject({ outcome: 'played' });
  expect(fixture.file('b.txt')).toBe('a');
});

test.each([
  ['fails now', command('cat nosuch.txt'), /succeeded when it was recorded and fails now/],
  ['succeeds now', command('cat a.txt', false, true), /failed when it was recorded and succeeds now/],
  ['answers something else', command('cat a.txt', true), /answers something else now/],
])('one that %s is a divergence', (_, use, detail) => {
  expect(play(use).run()).toMatchObject({ outcome: 'diverged', detail: expect.stringMatching(detail) });
});

test('a file tool writes in the new folder', () => {
  const input = { file_path: '/old/place/sub/b.txt', content: 'x' };
  const { fixture, run } = play({ tool: 'Write', input, how: { kind: 'file' } });
  expect(run()).toMatchObject({ outcome: 'played' });
  expect(fixture.file('sub/b.txt')).toBe('x');
});

test('of another tool the answer is shown, and its files are left', () => {
  const how: Redo['how'] = { kind: 'show', writes: [{ path: 'sub/b.txt', text: 'b' }], removes: ['a.txt'] };
  const { fixture, run } = play({ tool: 'mcp__pens__draw', input: {}, how });
  expect(run()).toMatchObject({ outcome: 'played' });
  expect([fixture.file('sub/b.txt'), existsSync(join(fixture.cwd, 'a.txt'))]).toEqual(['b', false]);
});

test('another stand-in does not play it', () => {
  const { fixture } = play({ ...command('touch escaped'), tool: 'execute_bash' });
  fixture.run('kiro-cli', ['chat', '--no-interactive', '--trust-all-tools', 'Go.']);
  expect(fixture.calls().at(-1)).toMatchObject({ outcome: 'diverged' });
  expect(existsSync(join(fixture.cwd, 'escaped'))).toBe(false);
});
