import * as z from 'zod';
import { parseJson } from '../../../domain/common/json-lines.js';
import { type CommandResult, runCommand } from '../../../exec/process/run-command.js';

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

/** Adds a marketplace and installs a plugin from it. Returns null, or Claude Code's own error message. */
export async function installFromMarketplace(
  cli: PluginCli,
  {
    plugin,
    marketplace,
    path,
  }: { readonly plugin: string; readonly marketplace: string; readonly path: string },
): Promise<string | null> {
  const added = await ask(cli, ['marketplace', 'add', path]);
  if (!added.ok && !/already/i.test(`${added.stdout}${added.stderr}`)) return words(added);
  const installed = await ask(cli, ['install', `${plugin}@${marketplace}`]);
  return installed.ok ? null : words(installed);
}

/** Uninstalls a plugin. Returns null, or Claude Code's own error message. */
export async function uninstallPlugin(cli: PluginCli, id: string): Promise<string | null> {
  const result = await ask(cli, ['uninstall', id]);
  return result.ok ? null : words(result);
}

/** Removes a marketplace. Returns null, or Claude Code's own error message. */
export async function removeMarketplace(cli: PluginCli, name: string): Promise<string | null> {
  const result = await ask(cli, ['marketplace', 'remove', name]);
  return result.ok ? null : words(result);
}

function ask({ executable, env, cwd }: PluginCli, args: readonly string[]): Promise<CommandResult> {
  return runCommand(executable, ['plugin', ...args], { cwd, env, timeoutMs: TIMEOUT_MS });
}

function words({ stderr, stdout, timedOut, spawnError, exitCode }: CommandResult): string {
  if (spawnError !== undefined) return spawnError.message;
  if (timedOut) return `no answer within ${TIMEOUT_MS / 1000} s`;
  return stderr.trim() || stdout.trim() || `exit code ${exitCode}`;
}
