import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The stand-in as it is shipped; `npm test` builds it first. */
export const RALPH = fileURLToPath(new URL('../../dist/standin/bin/ralph', import.meta.url));

/** What one invocation left behind. */
interface Run {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A workspace of its own: a git repository with a home beside it that nothing leaks into. */
export class Workspace {
  readonly path: string;
  readonly #home: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'standin-')));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    this.path = join(base, 'ws');
    this.#home = join(base, 'home');
    for (const folder of [this.path, this.#home]) mkdirSync(folder);
    execFileSync('git', ['init', '-q'], { cwd: this.path });
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content, { mode: 0o755 });
    }
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  env(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    const PATH = process.env.PATH ?? '';
    return { PATH, HOME: this.#home, NO_COLOR: '1', RALPH_STANDIN_TIME_SCALE: '0.01', ...extra };
  }

  /** Runs the stand-in to its end. */
  run({ argv = ['run', '--no-tui', '-p', 'do the thing'], env = {} }: RunOptions = {}): Promise<Run> {
    return new Promise((resolve) => {
      execFile(RALPH, argv, { cwd: this.path, env: this.env(env) }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      );
    });
  }
}

/** A workspace whose backend is a shell script; `$n` in it counts its calls. */
export function agentWorkspace(script: string, maxIterations = 3): Workspace {
  return new Workspace({
    'ralph.yml': `cli: {backend: custom, command: ./agent.sh, prompt_mode: stdin}\nevent_loop: {max_iterations: ${maxIterations}}\n`,
    'agent.sh': `#!/bin/sh
cat > /dev/null
n=$(cat .calls 2>/dev/null || echo 0); n=$((n+1)); echo $n > .calls
${script}
`,
  });
}
