import { describe, expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../src/agent/builder.js';
import { makeFixture, STREAM } from '../../support/stand-in-cli.js';

describe('a signal ends the program as it ends the real one', () => {
  test.each([
    ['SIGINT', 0],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s while the model is silent: exit %i, no result', async (signal, code) => {
    const fixture = makeFixture([onAnyPrompt().says('First.').hangs()]);
    const talk = fixture.talk('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
    void talk.end();
    await talk.next(({ type }) => type === 'assistant');
    talk.kill(signal);
    expect(await talk.ended).toBe(code);
    expect(talk.seen.some(({ type }) => type === 'result')).toBe(false);
  });
});

test('a command in the background is refused by name', () => {
  const fixture = makeFixture([
    onAnyPrompt().calls('Bash', { command: 'true', run_in_background: true }).says('Done.'),
  ]);
  const { status, stderr } = fixture.run('claude', [...STREAM, '--dangerously-skip-permissions', 'go']);
  expect(status).toBe(70);
  expect(stderr).toContain('does not support this input of Bash (run_in_background)');
});
