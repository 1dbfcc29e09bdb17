import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { TOOLS } from './tools.js';

const STUBS = fileURLToPath(new URL('../stubs', import.meta.url));

/** What GitHub keeps between runs of workflows, and the machine that they run on. */
export interface World {
  readonly folder: string;
  /** Programs that come first on PATH. */
  readonly bin: string;
  readonly registry: string;
  runs: number;
}

/** Creates an empty world. */
export function createWorld(registry: string): World {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-workflows-'));
  for (const name of ['bin', 'home']) mkdirSync(join(folder, name));
  return { folder, bin: join(folder, 'bin'), registry, runs: 0 };
}

/** Removes a world. */
export function removeWorld({ folder }: World): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Puts a program on PATH. */
export function addProgram({ bin }: World, name: string, text: string): void {
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
}

/** A workflow run. */
export interface WorkflowRun {
  readonly passed: boolean;
  /** The job summaries, one after another. */
  readonly summary: string;
  /** Everything that the steps printed. */
  readonly output: string;
  /** The result of each job that ran: `offline: success`. */
  readonly jobs: readonly string[];
  /** The files of an artifact, by path. */
  readonly artifact: (name: string) => ReadonlyMap<string, string>;
}

/** Runs the workflows of a repository with act, on this machine and with stubs for the actions that need the network. */
export async function runWorkflow(
  world: World,
  repository: string,
  event: 'pull_request' | 'push' | 'workflow_dispatch',
  { payload = {}, secrets = {}, workflow }: RunOptions = {},
): Promise<WorkflowRun> {
  world.runs += 1;
  const id = String(world.runs);
  // Each repository has its own caches and artifacts.
  const state = join(world.folder, 'state', basename(repository));
  const eventFile = join(world.folder, `event-${id}.json`);
  writeFileSync(
    eventFile,
    JSON.stringify({ ...(event === 'pull_request' ? { pull_request: { number: 1 } } : {}), ...payload }),
  );
  const env = { STUB_STATE: state, STUB_REGISTRY: world.registry, GITHUB_RUN_ID: id, ...carriedVariables() };
  const { code, lines } = await act(world, repository, [
    event,
    ...['--eventpath', eventFile],
    ...(workflow === undefined ? [] : ['--workflows', workflow]),
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...Object.entries(secrets).flatMap(([name, value]) => ['--secret', `${name}=${value}`]),
  ]);
  return {
    passed: code === 0,
    summary: lines
      .flatMap(({ command, content }) => (command === 'summary' ? [content ?? ''] : []))
      .join('\n'),
    output: lines.map(({ msg }) => msg).join('\n'),
    jobs: lines.flatMap(({ jobID, jobResult }) =>
      jobResult === undefined ? [] : [`${jobID}: ${jobResult}`],
    ),
    artifact: (name) => readFiles(join(state, 'artifacts', id, name)),
  };
}

interface RunOptions {
  readonly payload?: object;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly workflow?: string;
}

const lineSchema = z.looseObject({
  msg: z.string(),
  jobID: z.string().optional(),
  jobResult: z.string().optional(),
  command: z.string().optional(),
  content: z.string().optional(),
});

async function act(world: World, cwd: string, args: readonly string[]) {
  const child = spawn(
    TOOLS.act,
    [
      ...args,
      '--json',
      '--no-cache-server',
      ...['--platform', 'ubuntu-latest=-self-hosted'],
      ...['--action-cache-path', join(world.folder, 'act')],
      ...listStubs(cwd).flatMap((stub) => ['--local-repository', stub]),
    ],
    {
      cwd,
      env: {
        HOME: join(world.folder, 'home'),
        PATH: [world.bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => lineSchema.parse(JSON.parse(line)));
  return { code, lines };
}

/** Every action that the workflows name, with the folder of its stub. act itself does the work of checkout. */
function listStubs(repository: string): string[] {
  const folder = join(repository, '.github/workflows');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const used = texts.flatMap((text) => [...text.matchAll(/uses: (actions\/([\w-]+))\S*(@\w+)/g)]);
  return [...new Set(used.map(([, action, name = '', ref]) => `${action}${ref}=${join(STUBS, name)}`))];
}

/** How this machine reaches its registry. */
function carriedVariables(): Record<string, string> {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  return {
    ...Object.fromEntries(names.map((name) => [name, process.env[name] ?? ''])),
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
  };
}

function readFiles(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}
