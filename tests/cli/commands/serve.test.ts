import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../../agent/support/model-client.js';
import { covers } from '../../coverage/covers.js';
import { runCli, startCli, tempFolder } from '../../support/cli.js';

const SCRIPT = `rules:
  - on: { contains: hello }
    say: Hi.
  - on: never said
    say: Not heard.
`;

/** Starts `serve` and waits for its address. */
async function startServe(cwd: string, ...args: string[]) {
  const { child, done, output } = startCli(['serve', ...args], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => output(), { timeout: 20_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+/);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0] ?? '';
  const stop = () => {
    child.kill('SIGINT');
    return done;
  };
  return { url, stop };
}

function makeFolder(): string {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'agent.yaml'), SCRIPT);
  return cwd;
}

test('plays a script until it is interrupted, and tells what was never used', async () => {
  const cwd = makeFolder();
  const { url, stop } = await startServe(cwd, '--script', 'agent.yaml', '--requests', 'requests.jsonl');
  expect((await ask(url, 'messages', [{ user: 'hello' }])).text).toBe('Hi.');
  const { code, stdout } = await stop();
  expect(stdout).toContain('200 response[0]: "hello"');
  expect(stdout).toContain('never used: response[1]');
  expect(code).toBe(0);
  expect(readFileSync(join(cwd, 'requests.jsonl'), 'utf8')).toMatch(/"matched":"response\[0\]".*"body":/);
});

test('fails where something was not answered, and with --strict where something was not used', async () => {
  const strict = await startServe(makeFolder(), '--script', 'agent.yaml', '--strict');
  await ask(strict.url, 'messages', [{ user: 'hello' }]);
  expect((await strict.stop()).code).toBe(1);
  const lost = await startServe(makeFolder(), '--script', 'agent.yaml');
  await ask(lost.url, 'messages', [{ user: 'good morning' }]);
  const { code, stdout } = await lost.stop();
  expect(stdout).toMatch(/not answered: .*no rule in the agent script.*good morning/s);
  expect(code).toBe(1);
});

test('records what another model answers as a script', async () => {
  covers('A14');
  const cwd = makeFolder();
  const real = await startServe(cwd, '--script', 'agent.yaml');
  const recording = await startServe(cwd, '--record', real.url, '--script', 'recorded.yaml');
  // The address that it listens on comes first, then the one that it passes on to.
  expect(recording.url).not.toBe(real.url);
  expect((await ask(recording.url, 'messages', [{ user: 'hello' }])).text).toBe('Hi.');
  expect((await recording.stop()).code).toBe(0);
  await real.stop();
  const replay = await startServe(cwd, '--script', 'recorded.yaml', '--strict');
  expect((await ask(replay.url, 'messages', [{ user: 'hello' }])).text).toBe('Hi.');
  expect((await replay.stop()).code).toBe(0);
  const again = await runCli(['serve', '--record', real.url, '--script', 'recorded.yaml'], { cwd });
  expect(again.stderr).toMatch(
    /recorded\.yaml: expected a new file for the recording, found an existing one/,
  );
  expect(again.code).toBe(2);
});

test.each([
  [[], /serve needs --script <file>, which was not given/],
  [['--script', 'none.yaml'], /none\.yaml: expected an agent script, but/],
  [['--script', 'agent.yaml', '--port', '70000'], /--port 70000: expected a number up to 65535/],
  [['--script', 'new.yaml', '--record', 'api.anthropic.com'], /--record api.anthropic.com: expected the URL/],
])('serve %j is refused with a reason', async (args, reason) => {
  const { code, stderr } = await runCli(['serve', ...args], { cwd: makeFolder() });
  expect(stderr).toMatch(reason);
  expect(code).toBe(2);
});
