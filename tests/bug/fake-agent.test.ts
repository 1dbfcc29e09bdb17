import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFakeAgent } from '../../src/bug/fake-agent.js';
import { agentScriptSchema } from '../../src/domain/agent-script.js';
import { tempFolder } from '../support/cli.js';
import { posixPath } from '../support/posix-path.js';

const PROMPT = 'Write the sum of 20 and 22 to sum.txt.\nThen complete.\n';
const NOTHING_RECORDED = { iterations: [], invocations: [], promptText: PROMPT };

const script = (...rules: unknown[]) => agentScriptSchema.parse({ format: 1, rules });
const rule = (when: object, steps: readonly object[], more: object = {}) => ({
  ...{ name: 'a rule', when, respond: { steps }, turns: [] },
  ...more,
});

test('the fake agent chooses its answer by the prompt, and each as often as its rule may match', () => {
  const { scripts, gaps } = writeFakeAgent(
    script(
      rule({ event: 'sum.known' }, [{ do: 'say', text: `It's "done"\nnow` }]),
      rule(
        { objective: { regex: 'sum of (\\d+) and (\\d+)' } },
        [{ do: 'write', path: 'out/sum.txt', text: '{{add 1 2}}\n' }],
        { maxMatches: 1 },
      ),
    ),
    NOTHING_RECORDED,
    ['kiro-cli'],
  );
  expect(gaps).toEqual([]);
  const call = prepare(scripts, 'kiro-cli');
  expect(call(PROMPT)).toMatchObject({ status: 0, stdout: '' });
  expect(readFileSync(join(call.folder, 'out/sum.txt'), 'utf8')).toBe('42\n');
  expect(call(PROMPT)).toMatchObject({ status: 1, stderr: 'no answer to this prompt\n' });
  expect(call('Event: sum.known - 42')).toMatchObject({ status: 0, stdout: `It's "done"\nnow\n` });
  expect(readFileSync(join(call.folder, 'prompt-3'), 'utf8')).toContain('sum.known');
  writeFileSync(join(call.folder, 'long'), 'Event: sum.known - 42');
  expect(call(`Please read and execute the task in ${join(call.folder, 'long')}`)).toMatchObject({
    status: 0,
  });
});

test('a pattern over several lines is replaced by what it matches in the prompt', () => {
  const numbers = rule({ objective: { regex: '(\\d+)[\\s\\S]*Then (\\w+)' } }, [
    { do: 'say', text: '{{1}} {{2}}' },
  ]);
  const { scripts, gaps } = writeFakeAgent(script(numbers), NOTHING_RECORDED, ['opencode']);
  expect(gaps).toEqual([]);
  const call = prepare(scripts, 'opencode');
  expect(call(`# Task\n${PROMPT}`)).toMatchObject({ status: 0, stdout: '20 complete\n' });
  expect(call('Write the sum of 20 and 22 to sum.txt.')).toMatchObject({ status: 1 });
});

test('the fake claude prints lines of JSON, with what a command printed', () => {
  const steps = [
    { do: 'run', command: 'echo "Event emitted: a\\b"' },
    { do: 'say', text: 'One "two"\nthree' },
  ];
  const { scripts } = writeFakeAgent(script(rule({}, steps)), NOTHING_RECORDED, ['claude']);
  const lines = prepare(scripts, 'claude')(PROMPT).stdout.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'system' },
    { type: 'user', message: { content: [{ content: expect.stringContaining('Event emitted: ') }] } },
    { type: 'assistant', message: { content: [{ text: 'One "two"\nthree' }] } },
    { type: 'result', is_error: false },
  ]);
});

test('what shell cannot say is left out and named', () => {
  const { scripts, gaps } = writeFakeAgent(
    script(
      rule({ toolResult: { contains: 'x' } }, [{ do: 'complete' }]),
      rule({ event: 'never.seen', prompt: [{ regex: 'word (\\w+)' }] }, [
        { do: 'write', path: 'word.txt', text: '{{1}}' },
        { do: 'complete' },
      ]),
    ),
    NOTHING_RECORDED,
    ['opencode'],
  );
  expect(gaps).toEqual([
    { text: 'The rule "a rule" looks at more than the prompt.', files: [] },
    { text: 'The step "write" of "a rule" is left out.', files: ['word.txt'] },
  ]);
  expect(scripts.get('opencode')).toContain('tool ralph emit LOOP_COMPLETE');
  expect(scripts.get('opencode')).not.toContain('word.txt');
});

/** Puts a fake agent into a folder, and returns a function that calls it with a prompt. */
function prepare(scripts: ReadonlyMap<string, string>, name: string) {
  const folder = mkdtempSync(join(tempFolder(), 'agent-'));
  writeFileSync(join(folder, name), scripts.get(name) ?? '');
  chmodSync(join(folder, name), 0o755);
  const call = (prompt: string) =>
    spawnSync(join(folder, name), name === 'claude' ? [] : [prompt], {
      ...{ cwd: folder, encoding: 'utf8' as const },
      env: { PATH: posixPath(), BUG: folder },
      ...(name === 'claude' ? { input: prompt } : {}),
    });
  return Object.assign(call, { folder });
}
