import { completes, emits, says, saysAsClaude } from '../agent.js';
import { type DifferentialCase, loop, run } from '../case.js';

/** Ralph starts its successor by a shell that kills it. This one does nothing, so that Ralph ends by itself. */
const RESTARTS = {
  files: { 'tools/sh': '#!/bin/sh\n' },
  commands: ["PATH=$PWD/tools:$PATH ralph run --no-tui -p 'do the thing'"],
  log: /Restart requested/,
};

const json = (value: unknown) => says(JSON.stringify(value));

/** What a backend prints that is no line of its stream, and then the promise. */
const skipped = (
  backend: 'claude' | 'pi' | 'copilot',
  lines: readonly unknown[],
  last: string,
): DifferentialCase => ({
  name: `log: lines that are no part of the stream of ${backend}`,
  covers: '§6.3 skipped lines',
  config: `cli: {backend: ${backend}}\nevent_loop: {max_iterations: 3}\n`,
  backends: { [backend]: backend === 'claude' ? 'stdin' : 'arg' },
  agent: [
    [
      says('a'.repeat(100), `  ${'b'.repeat(100)}  `, 'c'.repeat(101), `${'d'.repeat(99)}üü`, ''),
      says('{"type": "assistant", "message"', '[1]', '7', '"text"', 'null', '{}'),
      json({ type: 'no.such.type', text: 'x' }),
      ...lines.map(json),
      last,
    ],
  ],
  commands: [run('-v')],
  log: /Skipping malformed/,
});

/** Log lines of level INFO and DEBUG that say what Ralph decided. */
export const LOG: readonly DifferentialCase[] = [
  {
    name: 'log: a restart by file names the command of the successor',
    covers: '§1.3 restart_requested',
    agent: [['touch .ralph/restart-requested']],
    ...RESTARTS,
  },
  {
    name: 'log: a restart by the words of a person names the command of the successor',
    covers: '§1.3 restart_requested §4.3 human.*',
    agent: [[emits('human.response', 'please restart yourself')]],
    ...RESTARTS,
  },
  {
    name: 'log: a restart while a hook suspends the loop',
    covers: '§1.3 restart_requested §2 on_error: suspend',
    config: loop({
      more: 'hooks: {enabled: true, events: {pre.iteration.start: [{name: gate, command: [./gate.sh], on_error: suspend}]}}\n',
    }),
    agent: [completes],
    ...RESTARTS,
    files: { ...RESTARTS.files, 'gate.sh': '#!/bin/sh\ntouch .ralph/restart-requested\nexit 1\n' },
  },
  {
    name: 'log: a loop that goes on says what it found',
    covers: '§1.1 --continue',
    agent: [
      [`ralph emit half.done 'x'`, 'mkdir -p .ralph/agent; echo note > .ralph/agent/scratchpad.md'],
      completes,
    ],
    commands: [run('--max-iterations', '1'), ['run', '--continue', '--no-tui']],
    log: /continuing from previous state|Resuming|resume/,
  },
  skipped(
    'claude',
    [
      { type: 'assistant', message: { content: [{ type: 'thinking', thinking: 'hm' }] } },
      { type: 'assistant', message: { content: [{ type: 'tool_use', id: 'a', name: 'Bash' }] } },
      { type: 'assistant', message: { content: 'text' } },
      { type: 'assistant', message: { content: [], usage: null } },
      { type: 'assistant', message: { content: [], usage: { input_tokens: 'many' } } },
      { type: 'assistant', message: { content: [], usage: { input_tokens: -1 } } },
      { type: 'assistant', message: {} },
      { type: 'system', subtype: 'init', session_id: 's', model: 'm' },
      { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: null },
      { type: 'system', subtype: 'hook' },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: 'b' }] } },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'a', content: [] }] } },
      { type: 'user', message: { content: 'text' } },
      { type: 'result', duration_ms: 1, total_cost_usd: 1, num_turns: 1, is_error: false },
      { type: 'result', duration_ms: 1.5, total_cost_usd: 1, num_turns: 1, is_error: false },
      { type: 'result', num_turns: 1, is_error: false },
    ],
    saysAsClaude('LOOP_COMPLETE'),
  ),
  skipped(
    'pi',
    [
      { type: 'message_update' },
      { type: 'message_update', assistantMessageEvent: { type: 'text_start' } },
      { type: 'message_update', assistantMessageEvent: { type: 'text_delta' } },
      { type: 'message_update', assistantMessageEvent: { type: 'thinking_delta', delta: 1 } },
      { type: 'message_update', assistantMessageEvent: { type: 'error' } },
      { type: 'tool_execution_start', toolCallId: 'a', toolName: 'b' },
      { type: 'tool_execution_start', toolCallId: 'a', toolName: 'b', args: null },
      { type: 'tool_execution_end', toolCallId: 'a', toolName: 'b', result: { content: [] } },
      {
        type: 'tool_execution_end',
        toolCallId: 'a',
        toolName: 'b',
        result: { content: [{ type: 'image' }, { type: 'text' }] },
        isError: false,
      },
      { type: 'turn_end' },
      { type: 'turn_end', message: { stopReason: null, usage: { input: 1, output: 1, cacheRead: 1 } } },
      {
        type: 'turn_end',
        message: { usage: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, cost: {} } },
      },
      { type: 'turn_end', message: { model: 7 } },
    ],
    json({ type: 'message_update', assistantMessageEvent: { type: 'text_delta', delta: 'LOOP_COMPLETE' } }),
  ),
  skipped(
    'copilot',
    [{ type: 'assistant.message' }, { type: 'assistant.message', data: { content: 7 } }],
    json({ type: 'assistant.message', data: { content: 'LOOP_COMPLETE' } }),
  ),
];
