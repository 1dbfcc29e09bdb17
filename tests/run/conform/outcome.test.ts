import { describe, expect, test } from 'vitest';
import { classifyOutcome, describeOutcomeDifferences, outcomeOf } from '../../../src/run/conform/outcome.js';

const BEFORE = { 'a.txt': 'A' };

/** A call with one shell command that ran, was denied, or failed before anybody was asked. */
function call(
  state: 'ran' | 'denied' | 'failed',
  more: { exitCode?: number | null; files?: Record<string, string>; stderr?: string } = {},
) {
  const answer = { type: 'tool_result', tool_use_id: 't1', is_error: state !== 'ran', content: 'text' };
  const denial = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'x', description: 'd' } };
  return outcomeOf({
    exitCode: 0,
    stderr: '',
    files: BEFORE,
    events: [
      { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] } },
      { type: 'user', message: { content: [answer] } },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'end',
        permission_denials: state === 'denied' ? [denial] : [],
      },
    ],
    ...more,
  });
}

describe('the outcome of a stand-in', () => {
  test('is equal if exit code, result, denials and files are', () => {
    expect(classifyOutcome(call('denied'), call('denied'), BEFORE)).toBe('equal');
  });

  test('is more permissive if a tool ran that the real program denied', () => {
    expect(classifyOutcome(call('ran'), call('denied'), BEFORE)).toBe('permissive');
    expect(classifyOutcome(call('failed'), call('denied'), BEFORE)).toBe('different');
    expect(classifyOutcome(call('denied'), call('ran'), BEFORE)).toBe('different');
  });

  test('is more permissive if only the stand-in changed a file, or accepted the call', () => {
    const made = call('ran', { files: { ...BEFORE, 'b.txt': 'B' } });
    expect(classifyOutcome(made, call('ran'), BEFORE)).toBe('permissive');
    expect(classifyOutcome(call('ran'), made, BEFORE)).toBe('different');
    expect(classifyOutcome(call('ran'), call('ran', { exitCode: 1 }), BEFORE)).toBe('permissive');
    expect(classifyOutcome(call('ran', { exitCode: 1 }), call('ran'), BEFORE)).toBe('different');
  });

  test('is refused if the stand-in names what it does not play, unless it did more than the real program', () => {
    const refused = call('failed', {
      exitCode: 70,
      stderr: 'ralph-e2e: the stand-in for claude does not support --x.',
    });
    expect(refused.refusal).toBe('ralph-e2e: the stand-in for claude does not support --x.');
    expect(classifyOutcome(refused, call('ran'), BEFORE)).toBe('refused');
    const both = { ...call('ran', { files: { 'b.txt': 'B' } }), refusal: 'ralph-e2e: no' };
    expect(classifyOutcome(both, call('ran'), BEFORE)).toBe('permissive');
  });

  test('is equal if only the order of lines in a file differs', () => {
    const listed = (text: string) => call('ran', { files: { ...BEFORE, 'out.txt': text } });
    expect(classifyOutcome(listed('a\nb\n'), listed('b\na\n'), BEFORE)).toBe('equal');
    expect(classifyOutcome(listed('a\nb\n'), listed('b\n'), BEFORE)).toBe('different');
  });

  test('cannot be judged if the real program did not end', () => {
    expect(classifyOutcome(call('ran'), call('denied', { exitCode: 143 }), BEFORE)).toBe('unjudged');
    expect(classifyOutcome(call('ran'), call('denied', { exitCode: null }), BEFORE)).toBe('unjudged');
  });

  test('is described by what differs', () => {
    expect(describeOutcomeDifferences(call('denied'), call('ran', { exitCode: 1 }))).toEqual([
      'exit code: stand-in 0, real 1',
      'denied: stand-in ["Bash {\\"command\\":\\"x\\",\\"description\\":\\"d\\"}"], real []',
    ]);
  });
});
