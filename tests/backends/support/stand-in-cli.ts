import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RuleBuilder } from '../../../src/agent/builder.js';
import { tempFolder } from '../../support/cli.js';

const BIN = fileURLToPath(new URL('../../../dist/agent/bin', import.meta.url));

const PRELOADED = fileURLToPath(new URL('../../agent/fixtures', import.meta.url));

/** An event of a stream, or a line of a record. */
export type Json = Record<string, unknown> & { type?: string; subtype?: string };

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly events: Json[];
}

/** A script in a folder, and a home, for as many calls of a stand-in as a test wants. */
export function makeFixture(
  script: readonly RuleBuilder[] | { readonly name: string; readonly text: string },
  { log = false }: { log?: boolean } = {},
) {
  const base = tempFolder();
  const [cwd, home] = [join(base, 'workspace'), join(base, 'home')];
  mkdirSync(cwd);
  mkdirSync(home);
  const isFile = 'text' in script;
  const path = join(base, isFile ? script.name : 'script.json');
  const rules = isFile ? [] : script.map(({ rule }) => rule);
  writeFileSync(path, isFile ? script.text : JSON.stringify({ format: 1, rules }));
  const calls = join(base, 'calls.jsonl');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    // Tests run as root too, and what claude and gemini refuse without these has tests of its own.
    IS_SANDBOX: '1',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    RALPH_E2E_AGENT_SCRIPT: path,
    ...(log ? { RALPH_E2E_AGENT_LOG: calls } : {}),
  };
  return {
    cwd,
    home,
    script: path,
    file: (name: string) => readFileSync(join(cwd, name), 'utf8'),
    write(name: string, text: string) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      writeFileSync(join(cwd, name), text);
    },
    calls: () => parseLines(readFileSync(calls, 'utf8')),
    run(
      command: string,
      args: readonly string[],
      options: { input?: string; env?: Record<string, string> } = {},
    ): Run {
      const { status, stdout, stderr } = spawnSync(join(BIN, command), args, {
        cwd,
        encoding: 'utf8',
        input: options.input ?? '',
        env: { ...env, ...options.env },
      });
      return { status, stdout, stderr, events: parseLines(stdout) };
    },
    /** A call whose prompt comes only when it already reads. */
    runWithLateInput: (command: string, args: readonly string[], input: string): Promise<Ended> =>
      runPreloaded('say-when-stdin-is-read.cjs', [join(BIN, command), ...args], { cwd, env }, (child) =>
        child.stderr.once('data', () => child.stdin.end(input)),
      ),
    /** A call whose stdin stays open and silent; it does not really wait. */
    runWithSilentInput: (command: string, args: readonly string[]): Promise<Ended> =>
      runPreloaded('impatient.cjs', [join(BIN, command), ...args], { cwd, env }, () => {}),
    /** A call that is talked to while it runs: `next` gives the next line that fits. */
    talk(command: string, args: readonly string[]) {
      const child = spawn(join(BIN, command), args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] });
      const seen: Json[] = [];
      const waiting: (() => void)[] = [];
      let rest = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        seen.push(...lines.map((line): Json => JSON.parse(line)));
        for (const wake of waiting.splice(0)) wake();
      });
      const ended = new Promise<number | null>((done) => child.once('close', done));
      return {
        seen,
        send: (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`),
        async next(fits: (event: Json) => boolean): Promise<Json> {
          for (;;) {
            const index = seen.findIndex(fits);
            if (index >= 0) return seen.splice(0, index + 1).at(-1) ?? {};
            await new Promise<void>((done) => waiting.push(done));
          }
        },
        end(): Promise<number | null> {
          child.stdin.end();
          return ended;
        },
        kill: (signal: NodeJS.Signals) => child.kill(signal),
        ended,
      };
    },
  };
}

type Ended = Omit<Run, 'events'>;

/** Runs a stand-in with a file of ours loaded before it, and gives how it ended. */
function runPreloaded(
  file: string,
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  accompany: (child: ChildProcessWithoutNullStreams) => void,
): Promise<Ended> {
  const child = spawn(program, args, {
    cwd,
    env: { ...env, NODE_OPTIONS: `--require ${join(PRELOADED, file)}` },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  accompany(child);
  return new Promise((done) => child.once('close', (status) => done({ status, stdout, stderr })));
}

/** The words of print mode with every event. */
export const STREAM = ['-p', '--verbose', '--output-format', 'stream-json'];

/** The one result of a stream. */
export function resultOf({ events }: { events: Json[] }): Json {
  return events.find(({ type }) => type === 'result') ?? {};
}

function parseLines(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): Json => JSON.parse(line));
}
