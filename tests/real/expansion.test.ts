import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { connect } from '../mcp/support/harness-client.js';
import { requireProgram } from './programs.js';

/** Commands and their arguments. */
const COMMANDS: Readonly<Record<string, readonly [body: string, args: string]>> = {
  all: ['A $ARGUMENTS Z\n', 'one "two words" three'],
  single: ['A $0|$1|$2|$ARGUMENTS[1]|$ARGUMENTS[9]|$10|\\$1|$1x Z\n', 'one "two words" it\'s'],
  none: ['No placeholder.\n', 'one two'],
  empty: ['A $ARGUMENTS|$1\n', ''],
  words: ['A $0|$1|$2|$ARGUMENTS[1]|$ARGUMENTS[9]|$10|$1x Z\n', 'one two its'],
  named: ['---\narguments: [first, second]\n---\n\n  A $first and $second $firstly\n', 'one two'],
  places: ['In ${CLAUDE_PLUGIN_ROOT}/x of ${CLAUDE_PROJECT_DIR}, ${CLAUDE_SESSION_ID} ${HOME}\n', ''],
  'dotted.größe': ['  Dotted $ARGUMENTS\n\n', 'x'],
  quoted: ['A=!`echo hi` (!`echo q`) and ` !`echo s``\n', ''],
  bangs: ['Say $ARGUMENTS\n', '!x !`echo` a'],
  runs: ['---\nallowed-tools: Bash(echo:*)\n---\nA !`echo hi` Z\n', ''],
};
const SKILL = '---\nname: skilled\ndescription: Skilled\n---\n\nDo $ARGUMENTS in ${CLAUDE_SKILL_DIR}.\n';

const textSchema = z.object({ type: z.literal('text'), text: z.string() });
const requestSchema = z.object({
  body: z.object({ messages: z.array(z.object({ content: z.unknown() })) }),
});

test('a command expands to what the real Claude Code sends to its model', async () => {
  const { ok } = await connect({
    args: ['--lane', 'scripted', '--executable', requireProgram('claude'), '--script', 'agent.yaml'],
    files: {
      'agent.yaml': 'rules: [{ on: any, say: ok }]\n',
      'p/.claude-plugin/plugin.json': '{"name":"p","version":"1.0.0","description":"p"}',
      'p/skills/skilled/SKILL.md': SKILL,
      ...Object.fromEntries(
        Object.entries(COMMANDS).map(([name, [body]]) => [`p/commands/${name}.md`, body]),
      ),
    },
  });
  await ok('install_plugin', { plugin_name: 'p' });
  const { session_id } = await ok('start_conversation');
  const expanded = new Map<string, string | null>();
  for (const [name, args] of [
    ...Object.entries(COMMANDS).map(([command, [, given]]) => [command, given] as const),
    ['skilled', 'x y'] as const,
  ]) {
    const command = `/p:${name}`;
    const told = await ok('verify_command_expansion', { command, args, session_id });
    expanded.set(name, told.expanded);
    expect(told.not_expanded === null).toBe(told.expanded !== null);
    await ok('execute_command', { command, args, session_id });
  }
  const captured = await ok('capture_test_artifacts', { test_name: 'sent', artifact_types: ['logs'] });
  const log = captured.artifact_paths.find((path: string) => path.endsWith('model-requests.jsonl'));
  const sent = readSent(readFileSync(log, 'utf8'));
  expect(sent.get('runs')).toBe('A hi Z\n');
  const unknown = [...expanded].filter(([, text]) => text === null).map(([name]) => name);
  expect(unknown).toEqual(['single', 'quoted', 'bangs', 'runs']);
  for (const name of unknown) {
    sent.delete(name);
    expanded.delete(name);
  }
  expect(Object.fromEntries(expanded)).toEqual(Object.fromEntries(sent));
});

/** What followed the name of each command in the last request. */
function readSent(log: string): Map<string, string> {
  const requests = log.trim().split('\n');
  const last = requests.findLast((line) => line.includes('<command-name>/p:all<')) ?? '';
  const { messages } = requestSchema.parse(JSON.parse(last)).body;
  const texts = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap((part) => textSchema.safeParse(part).data?.text ?? []) : [],
  );
  return new Map(
    texts.flatMap((text, at): [string, string][] => {
      const name = /<command-name>\/p:([^<]+)</.exec(text)?.[1];
      return name === undefined ? [] : [[name, texts[at + 1] ?? '']];
    }),
  );
}
