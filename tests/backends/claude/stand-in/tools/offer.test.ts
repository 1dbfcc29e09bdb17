import { expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../../src/agent/builder.js';
import { offeredTools, switchedOff } from '../../../../../src/backends/claude/stand-in/tools/offer.js';
import { makeStage, STREAM } from '../../../support/stand-in-cli.js';

const SERVER = ['mcp__srv__get', 'mcp__srv__get_all', 'mcp__srv__set', 'mcp__srvb__get'];

test.each([
  [['mcp__srv'], ['mcp__srvb__get']],
  [['mcp__srv__*'], ['mcp__srvb__get']],
  [['mcp__srv__get_*'], ['mcp__srv__get', 'mcp__srv__set', 'mcp__srvb__get']],
  [['mcp__*'], []],
  [['*'], []],
])('%j leaves of the servers %j', (rules, left) => {
  const offered = offeredTools(switchedOff(rules, SERVER), SERVER);
  expect(offered.filter((name) => name.startsWith('mcp__'))).toEqual(left);
});

test('a star alone leaves nothing, a beginning with a star all that begins so', () => {
  expect(offeredTools(switchedOff(['*'], []), [])).toEqual([]);
  const some = offeredTools(switchedOff(['B*', 'Re*'], []), []);
  expect(some).toEqual(expect.arrayContaining(['Glob', 'Grep', 'Edit', 'Write']));
  expect(some.filter((name) => /^(?:B|Re)/.test(name))).toEqual([]);
});

// As Claude Code 2.1.325 answers.
test.each([
  [
    [],
    'Grep',
    'is not available in this session — search file contents with `grep` via the Bash tool instead.',
  ],
  [[], 'Glob', 'is not available in this session — find files with `find` via the Bash tool instead.'],
  [['--disallowedTools=Bash,Grep'], 'Grep', 'is disabled for this session.'],
  [['--disallowedTools=Bash,Glob'], 'Glob', 'is disabled for this session.'],
  [['--disallowedTools=*'], 'Read', 'is disabled for this session, in subagents as well as here.'],
  [
    ['--settings', '{"permissions":{"deny":["Re*"]}}'],
    'Read',
    'is disabled for this session, in subagents as well as here.',
  ],
])('%j: %s does not exist', (args, name, why) => {
  const input = name === 'Read' ? { file_path: 'a.txt' } : { pattern: 'x' };
  const stage = makeStage([onAnyPrompt().calls(name, input).says('end')]);
  const { stdout } = stage.run('claude', [...STREAM, ...args, '--', 'go']);
  expect(stdout).toContain(
    `<tool_use_error>Error: No such tool available: ${name}. ${name} ${why}</tool_use_error>`,
  );
});
