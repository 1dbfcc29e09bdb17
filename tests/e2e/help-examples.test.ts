import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bareSystemPath, CLI, type CliResult, callCli, tempFolder } from '../support/cli.js';
import { ENDING_CALL, writeEndingRun } from '../support/ending-run.js';
import { writePlayingAgents, writeProgram, writeRalph } from '../support/playing-agents.js';

const SCRIPT = fileURLToPath(new URL('../../examples/agent.yaml', import.meta.url));

interface Step {
  /** An example as a help prints it, without the name of the program. */
  readonly call: string;
  readonly code: number;
  readonly says: RegExp;
  /** It runs until Ctrl-C, which comes when it has said this. */
  readonly until?: RegExp;
}

/** Every example of every help, in the order in which one folder goes through them. */
const STORY: readonly Step[] = [
  { call: 'doctor', code: 0, says: /^live lane .*: usable$/m },
  // The agent CLIs of the folder act as real ones and say that they are none.
  { call: 'doctor --lane scripted', code: 2, says: /^scripted lane .*: not usable$/m },
  { call: 'resume', code: 1, says: /^Resumed: 2 results taken over, 2 tests left$/m },
  { call: 'show', code: 0, says: /^🔴 FAILED: 1 of 4 tests failed/m },
  { call: 'show --list', code: 0, says: /1 of 4 tests failed/ },
  { call: 'show --prompt', code: 0, says: /^- Tests: `failing \[claude\]`$/m },
  { call: 'merge-reports blobs/ --report markdown,json,html', code: 0, says: /^2 tests passed in/m },
  { call: '--mock --ralph ./target/debug/ralph', code: 0, says: /✅ opencode-connect/ },
  { call: 'compare --baseline v2.10.1.json', code: 0, says: /^0 new failures, .* 1 unchanged$/m },
  { call: 'claude opencode --max-cost 40', code: 0, says: /^Cost: \S+ of \$40\.00/m },
  { call: 'claude --suite smoke', code: 0, says: /^Estimate: 9 tests, [\s\S]*^9 tests passed/m },
  { call: 'replay latest --ralph ./target/debug/ralph', code: 0, says: /^passed → passed: claude-connect$/m },
  { call: 'regrade latest', code: 0, says: /^passed → passed: claude-connect$/m },
  {
    call: 'prove --filter hat-single',
    code: 0,
    says: /^hat-single \[claude\]: oracle passed, 7 of 7 checks proved/m,
  },
  { call: 'new my-scenario', code: 0, says: /^Drafted my-scenario\.scenario\.mjs$/m },
  {
    call: 'prove --scenarios my-scenario.scenario.mjs',
    code: 0,
    says: /^my-scenario \[claude\]: oracle passed/m,
  },
  { call: 'init --dry-run', code: 0, says: /\.github\/workflows/ },
  { call: 'serve --script agent.yaml', code: 0, says: /^never used: /m, until: /^Press Ctrl-C/m },
  { call: 'sim claude --script agent.yaml -- -p "hello"', code: 0, says: /^Ask me for a sum/ },
  { call: 'sim convert agent.toml --ours', code: 0, says: /^ {4}say: Hi there$/m },
  { call: 'sim check agent.yaml', code: 0, says: /^agent\.yaml: 3 rules/ },
  { call: 'sim explain agent.yaml --prompt "hello"', code: 0, says: /^ {2}default answers/m },
  // A client that closes the input at once ends them.
  { call: 'sim mcp --script stub.json', code: 0, says: /^$/ },
  { call: 'mcp --lane scripted --script agent.yaml', code: 0, says: /^$/ },
  { call: 'clean', code: 0, says: /^Removed \d+ items from/ },
];

/** Thirty calls in turn: against one that hangs, not against a busy machine. */
const LONG = { timeout: 900_000 };

test('every example of every help runs as it is printed', LONG, async () => {
  const offered = await readExamples();
  expect(STORY.map(({ call }) => call).toSorted()).toEqual(offered.toSorted());
  const place = await prepare();
  for (const step of STORY) {
    const { code, stdout, stderr } = await paste(step, place);
    expect({ call: step.call, code, said: stdout + stderr }).toEqual({
      ...{ call: step.call, code: step.code },
      said: expect.stringMatching(step.says),
    });
  }
});

/** The examples in the helps of the program and of all of its commands: each has one. */
async function readExamples(path: readonly string[] = []): Promise<string[]> {
  const { stdout } = await callCli([...path, '--help'], { cwd: tempFolder() });
  const block = /^Examples:\n((?: {2}.*\n?)+)/m.exec(stdout)?.[1] ?? '';
  const own = [...block.matchAll(/^ {2}ralph-e2e ([^#\n]*)/gm)].map(([, call = '']) => call.trim());
  expect(own, `examples of ${path.join(' ')}`).not.toEqual([]);
  const commands = /^Commands:\n((?: {2}.*\n?)+)/m.exec(stdout)?.[1] ?? '';
  const names = [...commands.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name = '']) => name);
  const below: string[] = [];
  for (const name of names.filter((one) => one !== 'help'))
    below.push(...(await readExamples([...path, name])));
  return [...own, ...below];
}

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** A folder with all that the examples name, and runs that the commands about runs can be called for. */
async function prepare(): Promise<Place> {
  const cwd = tempFolder();
  const agents = writePlayingAgents(join(cwd, 'agents'), ['claude', 'kiro', 'opencode']);
  writeProgram(join(agents, 'ralph-e2e'), `exec ${process.execPath} ${CLI} "$@"`);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  write('target/debug/ralph', '');
  writeRalph(join(cwd, 'target/debug/ralph'));
  copyFileSync(join(cwd, 'target/debug/ralph'), join(agents, 'ralph'));
  const place = {
    cwd,
    env: { HOME: cwd, PATH: `${agents}:${bareSystemPath()}:/usr/bin:/bin`, IS_SANDBOX: '1' },
  };

  const run = (call: string) => paste({ call }, place);
  for (const shard of [1, 2])
    await run(
      `claude --mock --test claude-connect --test memory-add --shard ${shard}/2 --report blob --output blobs/${shard}`,
    );
  await run('claude --mock --test claude-connect --output base');
  copyFileSync(join(cwd, 'base/report.json'), join(cwd, 'v2.10.1.json'));
  writeEndingRun(['SIGKILL'], cwd);
  await run(ENDING_CALL.join(' '));

  // What runs the whole catalogue runs a part of it here.
  write('ralph-e2e.config.yaml', 'filter: [connect]\nskip-analysis: true\n');
  write('agent.yaml', readFileSync(SCRIPT, 'utf8'));
  write('agent.toml', '[[responses]]\nresponse = "Hi there"\npattern = { type = "any" }\n');
  write('stub.json', JSON.stringify({ name: 'stub', tools: {} }));
  write('crates/ralph-cli/Cargo.toml', '');
  return place;
}

/** Runs a call in the shell, with nothing on its input. */
function paste({ call, until }: Pick<Step, 'call' | 'until'>, { cwd, env }: Place): Promise<CliResult> {
  const child = spawn('sh', ['-c', `exec ralph-e2e ${call}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  let isEnded = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      if (until === undefined || isEnded || !until.test(said[name])) return;
      isEnded = child.kill('SIGINT');
    });
  }
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}
