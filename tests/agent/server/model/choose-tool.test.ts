// Starts programs, or takes seconds: in the project `whole`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { onPrompt, type RuleBuilder } from '../../../../src/agent/builder.js';
import { tempFolder } from '../../../support/cli.js';
import { ask, serve } from '../../support/model-client.js';

const HELLO = [{ user: 'hello' }];

test('a step that the offered tools do not allow is an error of the script that says so', async () => {
  const { url, requests } = await serve([onPrompt('hello').edits('a.txt', 'x', 'y')]);
  const heard = await ask(url, 'messages', HELLO, { tools: false });
  expect(heard.status).toBe(400);
  expect(heard.body).toMatch(
    /wants to edit a file, but the request offers no known tool for it.*offered: none/,
  );
  expect(requests).toMatchObject([{ outcome: 'script-error' }]);
});

test.each([
  [
    'pi',
    { write: ['path', 'content'], bash: ['command'] },
    ['write', { path: '/home/user/project/a.txt', content: 'A' }],
  ],
  [
    'gemini',
    { write_file: ['file_path', 'content'] },
    ['write_file', { file_path: '/home/user/project/a.txt', content: 'A' }],
  ],
  ['codex', { exec_command: ['cmd'] }, ['exec_command', { cmd: 'printf %s A > a.txt' }]],
])('writes a file with the tools of %s', async (_cli, offered, [name, input]) => {
  const { url } = await serve([onPrompt('hello').writes('a.txt', 'A')]);
  const heard = await ask(url, 'chat-completions', HELLO, { more: { tools: offer(offered) } });
  expect(heard.tools).toMatchObject([{ name, input }]);
});

const PATCHING = { apply_patch: ['patchText'], bash: ['command', 'workdir'] };
const A_TXT = '/home/user/project/a.txt';

test.each([
  ['pi', { edit: ['path', 'edits'] }, { path: A_TXT, edits: [{ oldText: 'x', newText: 'y' }] }],
  [
    'opencode with a GPT model',
    PATCHING,
    { patchText: `*** Begin Patch\n*** Update File: ${A_TXT}\n@@\n-x\n+y\n*** End Patch` },
  ],
  [
    'codex',
    { exec_command: ['cmd', 'max_output_tokens'] },
    {
      cmd: `apply_patch <<'END_OF_PATCH'\n*** Begin Patch\n*** Update File: ${A_TXT}\n@@\n-x\n+y\n*** End Patch\nEND_OF_PATCH`,
    },
  ],
])('edits a file with the tools of %s', async (_cli, offered, input) => {
  const { url } = await serve([onPrompt('hello').edits('a.txt', 'x', 'y')]);
  const heard = await ask(url, 'chat-completions', HELLO, { more: { tools: offer(offered) } });
  expect(heard.tools).toMatchObject([{ input }]);
});

test.each([
  [
    'one\ntwo\n',
    {
      name: 'apply_patch',
      input: { patchText: expect.stringContaining(`Add File: ${A_TXT}\n+one\n+two\n***`) },
    },
  ],
  ['', { name: 'apply_patch' }],
  // A patch would end the line, or drop the blank one.
  ['one', { name: 'bash', input: { command: 'printf %s one > a.txt' } }],
  ['one\n\n', { name: 'bash' }],
])('writes %j with a patch where that leaves exactly this text, else by the shell', async (content, tool) => {
  const { url } = await serve([onPrompt('hello').writes('a.txt', content)]);
  const heard = await ask(url, 'chat-completions', HELLO, { more: { tools: offer(PATCHING) } });
  expect(heard.tools).toMatchObject([tool]);
});

/** Paths that a shell could take for something else, in folders that are not there yet. */
const PATHS = [
  'out/result.txt',
  'deep/er/and/deeper.txt',
  'a folder/with blanks.txt',
  `it's/"quoted" $HOME.txt`,
  '-dash.txt',
  '-p/-n.txt',
  '--/x.txt',
  '-',
  './here/a.txt',
  'no-such/../up/a.txt',
  'new\nline/a\nb.txt',
  '~/tilde.txt',
  '*/[a]?.txt',
  'ünï/ço·dé.txt',
];
const TEXT = `-n "it's" $HOME %s\\n \`x\`\n`;

describe.each(PATHS)('a caller that has a shell and nothing else, the path %j', (path) => {
  test.each<[string, RuleBuilder, string]>([
    ['writes', onPrompt('hello').writes(path, TEXT), TEXT],
    ['writes twice', onPrompt('hello').writes(path, 'old').writes(path, TEXT), TEXT],
    ['appends', onPrompt('hello').writes(path, 'old ').appends(path, TEXT), `old ${TEXT}`],
    ['appends to what is not there', onPrompt('hello').appends(path, TEXT), TEXT],
  ])('%s', async (_what, rule, content) => {
    const { url } = await serve([rule]);
    const cwd = tempFolder();
    await obey(url, cwd);
    expect(readFileSync(join(cwd, path), 'utf8')).toBe(content);
  });

  // With the second parameter it is codex, which has a way of its own to read.
  test.each([[['cmd']], [['cmd', 'max_output_tokens']]])('reads with %j', async (parameters) => {
    const { url } = await serve([onPrompt('hello').writes(path, TEXT).readsFile(path)]);
    expect((await obey(url, tempFolder(), parameters)).at(-1)).toBe(TEXT);
  });
});

test('a folder that is there stays as it is', async () => {
  const { url } = await serve([onPrompt('hello').writes('there/a.txt', 'A')]);
  const cwd = tempFolder();
  mkdirSync(join(cwd, 'there'));
  writeFileSync(join(cwd, 'there/b.txt'), 'B');
  await obey(url, cwd);
  expect(readdirSync(join(cwd, 'there'))).toEqual(['a.txt', 'b.txt']);
});

/** Does what a script asks of codex in a real shell, and gives what each command printed. */
async function obey(url: string, cwd: string, parameters: readonly string[] = ['cmd']): Promise<string[]> {
  const more = { tools: offer({ exec_command: parameters }) };
  const printed: string[] = [];
  let turns: Parameters<typeof ask>[2] = HELLO;
  for (;;) {
    const heard = await ask(url, 'chat-completions', turns, { more, system: 'You are an agent.' });
    expect(heard.status, heard.body).toBe(200);
    const [tool] = heard.tools;
    if (tool === undefined) return printed;
    const { cmd } = Object(tool.input);
    const result = execFileSync('sh', ['-c', cmd], { cwd, encoding: 'utf8', input: '' });
    printed.push(result);
    turns = [...turns, { heard }, { result, of: heard }];
  }
}

test('a prompt that is a file to read is read by codex through its shell', async () => {
  const { url } = await serve([onPrompt(/^the word is (\w+)\n$/).says('{{upper 1}}')]);
  const more = { tools: offer({ exec_command: ['cmd', 'max_output_tokens'] }) };
  const turns = [{ user: 'Please read and execute the task in /tmp/task' }];
  const reading = await ask(url, 'chat-completions', turns, { more });
  expect(reading.tools).toMatchObject([{ input: { cmd: "cat '/tmp/task'" } }]);
  const result =
    'Chunk ID: 95b205\nWall time: 0.0 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\nthe word is melon\n';
  const after = [...turns, { heard: reading }, { result, of: reading }];
  expect((await ask(url, 'chat-completions', after, { more })).text).toBe('MELON');
});

test.each(['echo $(date)', 'echo `date`', 'diff <(ls) a'])(
  '%s, which Gemini blocks, is refused',
  async (command) => {
    const { url } = await serve([onPrompt('hello').runs(command), onPrompt('quoted').runs("echo '$(date)'")]);
    const more = { tools: offer({ run_shell_command: ['command'] }) };
    const heard = await ask(url, 'chat-completions', HELLO, { more });
    expect(heard.status).toBe(400);
    expect(heard.body).toMatch(/wants to run a command, but Gemini blocks/);
    const quoted = await ask(url, 'chat-completions', [{ user: 'quoted' }], { more });
    expect(quoted.tools).toMatchObject([{ name: 'run_shell_command' }]);
  },
);

function offer(tools: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(tools).map(([name, parameters]) => ({
    type: 'function',
    function: { name, parameters: { properties: Object.fromEntries(parameters.map((key) => [key, {}])) } },
  }));
}
