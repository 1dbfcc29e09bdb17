import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentScript, agentScriptSchema } from '../../domain/agent-script.js';
import { makeFolderSync } from '../../exec/files/make-folder.js';
import { runCommand } from '../../exec/process/run-command.js';
import { serveScript } from '../../lane/script-server.js';
import type { ConformCase } from './cases.js';

/** Everything that a caller of the CLI can see of one call. */
export interface Observation {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** The lines of stdout, parsed if they are JSON. */
  readonly events: readonly unknown[];
  /** The files of the workspace after the call, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface Performer {
  readonly executable: string;
  /** Whether it plays the script itself. The real program needs a model server that plays it. */
  readonly isStandIn: boolean;
}

/** A call that did not end within this time did not end. */
export const CASE_LIMIT_MS = 60_000;

/** Plays a case in a fresh folder with a fresh home. */
export async function runCase(
  { rules, calls, files = {}, links = {}, home: homeFiles = {} }: ConformCase,
  { executable, isStandIn }: Performer,
  limitMs: number = CASE_LIMIT_MS,
): Promise<readonly Observation[]> {
  const base = mkdtempSync(join(tmpdir(), 'ralph-e2e-conform-'));
  const [workspace, home] = [join(base, 'workspace'), join(base, 'home')];
  const locate = (text: string) => text.replaceAll('{{workspace}}', workspace).replaceAll('{{home}}', home);
  const general: AgentScript = { version: 1, rules: rules.map(({ rule }) => rule) };
  const script = agentScriptSchema.parse(JSON.parse(locate(JSON.stringify(general))));
  for (const folder of [workspace, home]) mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) write(join(workspace, path), locate(text));
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(workspace, path));
  for (const [path, text] of Object.entries(homeFiles)) write(join(home, path), locate(text));
  write(join(base, 'script.json'), JSON.stringify(script));
  const server = await serveScript({ script, cwd: workspace });
  const env = {
    ...conformEnvironment(home, server.url),
    ...(isStandIn
      ? { RALPH_E2E_AGENT_SCRIPT: join(base, 'script.json'), RALPH_E2E_AGENT_LOG: join(base, 'calls.jsonl') }
      : {}),
  };
  try {
    const observations: Observation[] = [];
    for (const args of calls) {
      const result = await runCommand(executable, args.map(locate), {
        cwd: workspace,
        env,
        timeoutMs: limitMs,
      });
      const normalize = (text: string) => hidePlaces(text, base, server.url);
      observations.push({
        exitCode: result.exitCode,
        stderr: normalize(result.stderr),
        events: normalize(result.stdout)
          .split('\n')
          .filter((line) => line !== '')
          .map(parseLine),
        files: Object.fromEntries(
          Object.entries(readFiles(workspace)).map(([path, text]) => [path, normalize(text)]),
        ),
      });
    }
    return observations;
  } finally {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

/** The environment in which both sides run: a home of their own, and a model on loopback. */
export function conformEnvironment(home: string, url: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'ralph-e2e-dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
    // As root, the real CLI skips permissions only if this says that it runs in a sandbox.
    IS_SANDBOX: '1',
  };
}

/** Replaces folders and ports, which differ in every run. Folders also appear with dashes, as names of other folders. */
function hidePlaces(text: string, base: string, url: string): string {
  const host = url.replace('http://', '');
  return text
    .replaceAll(base, '<base>')
    .replaceAll(base.replace(/[^a-zA-Z0-9]/g, '-'), '<base>')
    .replaceAll(host, '<server>');
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Text output is compared as text.
    return { type: 'text', line };
  }
}

function readFiles(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/') || /^\.git\/(?:config|hooks\/[\w-]+)$/.test(path))
    .filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true);
  return Object.fromEntries(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

function write(path: string, text: string): void {
  makeFolderSync(dirname(path));
  writeFileSync(path, text);
}
