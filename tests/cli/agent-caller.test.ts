import { describe, expect, test } from 'vitest';
import { isCalledByAgent } from '../../src/cli/screen.js';

describe('isCalledByAgent', () => {
  test.each([
    'CLAUDECODE',
    'CURSOR_AGENT',
    'GEMINI_CLI',
    'CODEX_SANDBOX',
    'CODEX_THREAD_ID',
    'OPENCODE',
    'AI_AGENT',
  ])('sees an agent behind %s', (name) => {
    expect(isCalledByAgent({ PATH: '/bin', [name]: '1' })).toBe(true);
  });

  test('takes a person for a person', () => {
    expect(isCalledByAgent({})).toBe(false);
    expect(isCalledByAgent({ CLAUDECODE: '', OPENCODE: '0', CURSOR_AGENT: 'false' })).toBe(false);
    // Settings of a user who has these tools, outside of any session.
    expect(
      isCalledByAgent({ CODEX_HOME: '/home/me/.codex', OPENCODE_CONFIG: '/x', CLAUDE_CONFIG_DIR: '/y' }),
    ).toBe(false);
  });
});
