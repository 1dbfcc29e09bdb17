import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The stand-in as it is shipped; `npm test` builds it first. */
export const RALPH = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

/** A record of the events file, of either shape. */
export interface EventRow {
  readonly topic: string;
  readonly payload: unknown;
  readonly ts: string;
  readonly iteration?: number;
  readonly hat?: string;
  readonly triggered?: string;
}

/** What one invocation left behind. */
export interface Run {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The label after `Loop terminated:`. */
  readonly label: string | undefined;
  /** The hat of each iteration. */
  readonly hats: readonly string[];
  readonly events: readonly EventRow[];
  /** The prompt of each iteration. */
  readonly prompts: readonly string[];
}

export interface RunOptions {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A workspace of its own: a git repository with a home beside it that nothing leaks into. */
export class Workspace {
  readonly path: string;
  readonly home: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'standin-')));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    this.path = join(base, 'ws');
    this.home = join(base, 'home');
    mkdirSync(this.home);
    mkdirSync(this.path);
    execFileSync('git', ['init', '-q'], { cwd: this.path });
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o755 });
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name));
  }

  env(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    return {
      PATH: `${join(this.path, 'bin')}:${process.env.PATH ?? ''}`,
      HOME: this.home,
      NO_COLOR: '1',
      RALPH_DIAGNOSTICS: '1',
      RALPH_STANDIN_TIME_SCALE: '0.01',
      GIT_AUTHOR_NAME: 'T',
      GIT_AUTHOR_EMAIL: 't@example.org',
      GIT_COMMITTER_NAME: 'T',
      GIT_COMMITTER_EMAIL: 't@example.org',
      ...extra,
    };
  }

  /** Runs the stand-in to its end. */
  run({ argv = ['run', '--no-tui', '-p', 'do the thing'], env = {} }: RunOptions = {}): Promise<Run> {
    if (!existsSync(RALPH))
      throw new Error(`expected the built stand-in at ${RALPH}: run \`npm run build\` first`);
    const child = spawn(RALPH, argv, {
      cwd: this.path,
      env: this.env(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) =>
        resolve({
          code,
          signal,
          stdout,
          stderr,
          label: /Loop terminated: (.+)/.exec(stdout)?.[1],
          hats: [...stdout.matchAll(/^ ITERATION \d+ \| \? (\S+) \|/gm)].map((match) => match[1] ?? ''),
          events: this.readEvents(),
          prompts: this.readPrompts(),
        }),
      );
    });
  }

  /** The records of the latest run. */
  readEvents(): readonly EventRow[] {
    if (!this.has('.ralph/current-events')) return [];
    const path = this.read('.ralph/current-events');
    if (!this.has(path)) return [];
    return this.read(path)
      .trim()
      .split('\n')
      .flatMap((line): EventRow[] => {
        try {
          return [JSON.parse(line)];
        } catch {
          // Tests write broken lines on purpose.
          return [];
        }
      });
  }

  private readPrompts(): readonly string[] {
    if (!this.has('.ralph/diagnostics')) return [];
    return readdirSync(join(this.path, '.ralph/diagnostics'))
      .map((session) => `.ralph/diagnostics/${session}/prompt-log.md`)
      .filter((path) => this.has(path))
      .flatMap((path) =>
        this.read(path)
          .split(/^# Iteration \d+ — \S+\n\n/m)
          .slice(1),
      );
  }
}

/** A workspace whose backend is a shell script; `$n` in it counts its calls. */
export function agentWorkspace(
  script: string,
  {
    loop = 'max_iterations: 3',
    yaml = '',
    mode = 'stdin',
  }: { loop?: string; yaml?: string; mode?: 'stdin' | 'arg' } = {},
): Workspace {
  return new Workspace({
    'ralph.yml': `cli: {backend: custom, command: ./agent.sh, prompt_mode: ${mode}}\nevent_loop: {${loop}}\n${yaml}\n`,
    'agent.sh': `#!/bin/sh
${mode === 'stdin' ? 'cat > /dev/null' : ''}
n=$(cat .calls 2>/dev/null || echo 0); n=$((n+1)); echo $n > .calls
${script}
`,
  });
}

/** Rows without the loop's own bookkeeping. */
export function agentEvents(run: Run): readonly string[] {
  const own = ['task.start', 'iteration.summary', 'loop.terminate'];
  return run.events.map(({ topic }) => topic).filter((topic) => !own.includes(topic));
}

/** The lines of a prompt that say which events are pending. */
export function pendingEvents(prompt: string | undefined): readonly string[] {
  return [...(prompt ?? '').matchAll(/^Event: (\S+) - /gm)].map((match) => match[1] ?? '');
}

/** Two hats, each of which publishes what the other waits for. */
export const HATS = `hats:
  builder: {name: Builder, description: builds things, triggers: [build.task], publishes: [build.finished], instructions: "Build with BRICKS."}
  reviewer: {name: Reviewer, description: reads things, triggers: [build.finished, "review.*"], publishes: [build.task], instructions: "Read with CARE."}
`;
