import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { KnownError } from '../domain/common/known-error.js';
import { buildEnvironment } from '../exec/environment.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { removeTree } from '../exec/files/remove-tree.js';
import { statOrNull } from '../exec/files/stat-or-null.js';
import { ONLY_REPO_CONFIG, OWN_GIT_CONFIG } from '../exec/git-config.js';
import { runCommand } from '../exec/process/run-command.js';
import { type McpServers, renderClaudeSettings } from './claude-isolation.js';
import { checkWorkspaceName } from './plain-name.js';
import {
  forgetWorkspace,
  registerWorkspace,
  requireOwnWorkspace,
  type WorkspaceOwner,
} from './workspace-registry.js';
import { REGISTRY_FOLDER, type WorkspaceRoot } from './workspace-root.js';

/** The folder that one attempt runs in: what the agent sees. */
export interface Workspace {
  readonly name: string;
  readonly path: string;
}

/** The content of a new workspace; paths are relative to it. */
export interface WorkspaceOptions {
  readonly files?: Readonly<Record<string, WorkspaceFile>>;
  /** A folder to copy into the workspace first, without its `.git` and Ralph's diagnostics: what an earlier run left. */
  readonly plant?: string;
  /** Which MCP servers Claude Code may start there. Default: none. */
  readonly mcpServers?: McpServers;
  readonly owner?: WorkspaceOwner;
}

export type WorkspaceFile =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode: number };

const CLAUDE_SETTINGS = '.claude/settings.json';

/** Creates a fresh workspace: its own git repo with one commit that contains all its files. */
export async function createWorkspace(
  root: WorkspaceRoot,
  name: string,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  const files = checkFiles(options.files ?? {});
  await removeWorkspace(root, name);
  const path = join(root.path, name);
  // Create it elsewhere, register it, then move it: after a crash at any point we know everything that is ours.
  const aside = join(root.path, REGISTRY_FOLDER, `${name}.new`);
  await removeTree(aside);
  await mkdir(aside);
  await registerWorkspace(root, name, aside, options.owner);
  await rename(aside, path);

  if (options.plant !== undefined) await plantLeftovers(options.plant, path);
  const settings = readText(files.get(CLAUDE_SETTINGS));
  files.set(CLAUDE_SETTINGS, renderClaudeSettings(path, settings, options.mcpServers));
  for (const [file, content] of files) await writeWorkspaceFile(join(path, file), content);
  await commitEverything(path);
  return { name, path };
}

/** No leftovers: the repository, and what Ralph records for us into folders named by the second, the same for a fast run. */
const NOT_LEFT = ['.git', join('.ralph', 'diagnostics')];

/** Copies the leftovers. The files of the scenario come later and replace them, as in a folder that is used twice. */
async function plantLeftovers(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, filter: (source) => !NOT_LEFT.includes(relative(from, source)) });
}

/** Deletes a workspace that we made; does nothing if there is none. */
export async function removeWorkspace(root: WorkspaceRoot, name: string): Promise<void> {
  checkWorkspaceName(name);
  const path = join(root.path, name);
  if ((await statOrNull(path)) !== null) {
    await requireOwnWorkspace(root, name);
    await removeTree(path);
  }
  await forgetWorkspace(root, name);
}

function checkFiles(files: Readonly<Record<string, WorkspaceFile>>): Map<string, WorkspaceFile> {
  return new Map(Object.entries(files).map(([file, content]) => [checkRelativePath(file), content]));
}

function checkRelativePath(file: string): string {
  const path = normalize(file);
  const [first = ''] = path.split('/');
  const inside = file !== '' && !isAbsolute(path) && first !== '..' && first !== '.' && !path.endsWith('/');
  if (inside && first.toLowerCase() !== '.git' && !path.includes('\0')) return path;
  throw new KnownError(
    `Expected the path of a file inside the workspace (relative, no '..', not in .git), found ${JSON.stringify(file)}.`,
    { hint: 'Correct the path in the scenario.' },
  );
}

async function writeWorkspaceFile(path: string, file: WorkspaceFile): Promise<void> {
  await makeFolder(dirname(path));
  const plain = typeof file === 'string' || file instanceof Uint8Array;
  // A planted file may be in the way, even a link to something outside.
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, plain ? file : file.content, { flag: 'wx' });
  if (!plain) chmodSync(path, file.mode);
}

function readText(file: WorkspaceFile | undefined): string | undefined {
  if (file === undefined || typeof file === 'string') return file;
  const content = file instanceof Uint8Array ? file : file.content;
  return typeof content === 'string' ? content : Buffer.from(content).toString('utf8');
}

const TIME_LIMIT_MS = 30_000;
/** The exit code of the shell if a program does not exist. */
const COMMAND_NOT_FOUND = 127;

/** One shell for all three commands: starting and watching a process costs more than the work that git does here. */
const SCRIPT = `set -e
git -c init.defaultBranch=main init --quiet --template=
git add --all --force
git commit --quiet --allow-empty --no-verify --message 'Workspace as the agent finds it'
`;

/** Turns the folder into its own git repo with an identity and one commit that contains everything. */
async function commitEverything(folder: string): Promise<void> {
  await mkdir(join(folder, '.git'));
  await writeFile(join(folder, '.git', 'config'), OWN_GIT_CONFIG);
  const env = buildEnvironment({ base: process.env, extra: { ...ONLY_REPO_CONFIG, LC_ALL: 'C' } });
  const result = await runCommand('sh', ['-c', SCRIPT], { cwd: folder, env, timeoutMs: TIME_LIMIT_MS });
  if (result.ok) return;
  if (result.exitCode === COMMAND_NOT_FOUND) {
    throw new KnownError(`git was not found on PATH (${env.PATH ?? 'not set'}).`, {
      hint: 'Install git: every workspace is its own repository.',
    });
  }
  const reason = result.timedOut ? `it timed out after ${TIME_LIMIT_MS / 1000} s` : result.stderr.trim();
  throw new KnownError(`git could not commit the new workspace ${folder}: ${reason}`, {
    hint: 'Run `git init`, `git add --all` and `git commit` in a new folder next to it to see why.',
  });
}
