import { describe, expect, it } from 'vitest';
import { readAgentLine } from '../../../src/report/terminal/follow.js';

const json = (value: unknown) => readAgentLine(JSON.stringify(value));

describe('a line of a running test', () => {
  it('shows what Claude Code says and does, and the beginning of what its tools return', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'First.\n\nThen this.' },
      { type: 'tool_use', id: '1', name: 'Bash', input: { command: 'ls\n-l', timeout: 5 } },
    ];
    expect(json({ type: 'assistant', message: { role: 'assistant', content } })).toEqual([
      'First.',
      'Then this.',
      '→ Bash: ls -l · 5',
    ]);
    const results = [
      { type: 'tool_result', tool_use_id: '1', content: 'no such file', is_error: true },
      { type: 'tool_result', tool_use_id: '2', content: [{ type: 'text', text: 'x'.repeat(500) }] },
    ];
    const [first, second] = json({ type: 'user', message: { role: 'user', content: results } });
    expect(first).toBe('← error: no such file');
    expect(second).toMatch(/^← x{99}…$/);
  });

  it('does not repeat the prompt, nor events that say nothing to people', () => {
    const content = [{ type: 'text', text: 'You are Ralph.' }];
    expect(json({ type: 'message_end', message: { role: 'user', content } })).toEqual([]);
    expect(json({ type: 'message_end', message: { role: 'assistant', content } })).toEqual([
      'You are Ralph.',
    ]);
    expect(json({ type: 'system', subtype: 'init', tools: ['Bash'] })).toEqual([]);
    expect(json({ type: 'result', is_error: true, result: 'API Error: 529' })).toEqual([
      'error: API Error: 529',
    ]);
  });

  it('shows OpenCode and pi, which name the parts differently', () => {
    expect(json({ type: 'text', sessionID: 's', part: { text: 'Hello.' } })).toEqual(['Hello.']);
    const state = { status: 'completed', input: { filePath: 'a.txt' } };
    expect(json({ type: 'tool_use', sessionID: 's', part: { tool: 'write', callID: 'c', state } })).toEqual([
      '→ write: a.txt',
    ]);
    const content = [{ type: 'toolCall', id: '1', name: 'bash', arguments: { command: 'ls' } }];
    expect(json({ type: 'message_end', message: { role: 'assistant', content } })).toEqual(['→ bash: ls']);
  });

  it.each([
    ['='.repeat(79), []],
    [' ITERATION 2 | ? builder | 0s elapsed | 2/5', ['── iteration 2: builder ──']],
    ['[iter 2/5 done] dur=0s total=0s budget=40%', []],
    ['2026-11-16T19:42:38.6Z  INFO ralph: Creating scratchpad directory', []],
    ['2026-11-16T19:42:38.6Z  WARN ralph: no such hat', ['2026-11-16T19:42:38.6Z WARN ralph: no such hat']],
    ['  events:     /w/.ralph/events.jsonl', []],
    ['| ✓ Loop terminated: Completion promise detected', ['Loop terminated: Completion promise detected']],
    ['I will run the following command: ls', ['I will run the following command: ls']],
    ['{ not json', ['{ not json']],
  ])('keeps the words of the agent and drops the frame: %s', (line, shown) => {
    expect(readAgentLine(line)).toEqual(shown);
  });

  it('has no control characters, whatever the agent prints', () => {
    const evil = '\u001b]0;title\u0007\u001b[2J\u001b[31mred\u202egnp\r';
    const content = [
      { type: 'text', text: evil },
      { type: 'tool_use', name: evil, input: { command: evil } },
    ];
    const lines = [
      ...readAgentLine(evil),
      ...json({ type: 'assistant', message: { role: 'assistant', content } }),
    ];
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^[\x20-\x7e→·]+$/);
  });
});
