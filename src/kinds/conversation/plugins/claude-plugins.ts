import * as z from 'zod';
import { parseJson } from '../../../domain/common/json-lines.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { type CommandResult, runCommand } from '../../../exec/process/run-command.js';
import type { Marketplace } from './marketplace.js';

/** Where to run the `plugin` commands of Claude Code: in one configuration folder. None of them calls a model. */
export interface PluginCli {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const TIMEOUT_MS = 60_000;

const problemSchema = z.object({ path: z.string().default(''), message: z.string() });
const partSchema = z.object({ file: z.string().default(''), errors: z.array(problemSchema).default([]) });
const validationSchema = z.object({
  success: z.boolean(),
  /** Null for a folder without a manifest. */
  manifest: partSchema.nullable(),
  contents: z.array(partSchema).default([]),
});

/** Returns the problems that `claude plugin validate` reports. Empty if it passes. */
export async function validatePlugin(cli: PluginCli, folder: string): Promise<string[]> {
  const result = await ask(cli, ['validate', '--json', folder]);
  const read = validationSchema.safeParse(parseJson(result.stdout));
  if (!read.success) return result.ok ? [] : [words(result)];
  const { success, manifest, contents } = read.data;
  const parts = manifest === null ? contents : [manifest, ...contents];
  const problems = parts.flatMap(({ file, errors }) =>
    errors.map(({ path, message }) => `${file}: ${path === '' ? '' : `${path}: `}${message}`),
  );
  return success ? [] : problems.length > 0 ? problems : ['claude plugin validate failed without a reason'];
}

const installedSchema = z.array(
  z.object({
    id: z.string(),
    version: z.string().default(''),
    enabled: z.boolean().default(true),
    installPath: z.string().default(''),
    installedAt: z.string().default(''),
    errors: z.array(z.string()).default([]),
  }),
);
export type ListedPlugin = z.infer<typeof installedSchema>[number];

/** Lists the plugins that are installed in the configuration folder. */
export async function listInstalled(cli: PluginCli): Promise<readonly ListedPlugin[]> {
  const result = await ask(cli, ['list', '--json']);
  return installedSchema.parse(parseJson(result.stdout));
}

/** Claude Code could not install or remove a plugin or a marketplace. */
export class PluginInstallError extends KnownError {}

/** Adds a marketplace, installs a plugin from it, and returns it as Claude Code lists it. */
export async function installFromMarketplace(
  cli: PluginCli,
  plugin: string,
  { name, path }: Pick<Marketplace, 'name' | 'path'>,
): Promise<ListedPlugin> {
  const id = `${plugin}@${name}`;
  const added = await ask(cli, ['marketplace', 'add', path]);
  if (!added.ok && !/already/i.test(`${added.stdout}${added.stderr}`))
    throw new PluginInstallError(`${id} was not installed: ${words(added)}`);
  const installed = await ask(cli, ['install', id]);
  if (!installed.ok) throw new PluginInstallError(`${id} was not installed: ${words(installed)}`);
  const listed = (await listInstalled(cli)).find((known) => known.id === id);
  if (listed === undefined) throw new PluginInstallError(`Claude Code installed ${id} but does not list it.`);
  return listed;
}

/** Has Claude Code remove a plugin (`uninstall`, its id) or a marketplace (`marketplace`, `remove`, its name). */
export async function removeInstalled(cli: PluginCli, ...args: readonly string[]): Promise<void> {
  const result = await ask(cli, args);
  if (!result.ok) throw new PluginInstallError(`Could not remove ${args.at(-1)}: ${words(result)}`);
}

function ask({ executable, env, cwd }: PluginCli, args: readonly string[]): Promise<CommandResult> {
  return runCommand(executable, ['plugin', ...args], { cwd, env, timeoutMs: TIMEOUT_MS });
}

function words({ stderr, stdout, timedOut, spawnError, exitCode }: CommandResult): string {
  if (spawnError !== undefined) return spawnError.message;
  if (timedOut) return `no answer within ${TIMEOUT_MS / 1000} s`;
  return stderr.trim() || stdout.trim() || `exit code ${exitCode}`;
}
