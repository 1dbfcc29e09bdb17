import * as z from 'zod';

export const guardsSchema = z.strictObject({
  /** Files that the scenario arranged and that may be started or say what to start, with the SHA-256 of their content. */
  files: z.record(z.string(), z.string()),
  /** Folders whose files are programs. */
  folders: z.array(z.string()),
  /** Names of scripts that the configuration mentions, whether they exist or not. */
  names: z.array(z.string()),
  /** The commands of the hooks that the scenario arranged for the agent CLI. No others run. */
  hooks: z.array(z.string()),
  /** Whether Ralph itself starts programs, its own hooks, which may leave files too. Older scripts do not say. */
  ralphHooks: z.boolean().default(true),
});
/** What a replay must not change, because Ralph, git or an agent CLI starts it or is told by it what to start. */
export type Guards = z.infer<typeof guardsSchema>;

export const NO_GUARDS: Guards = { files: {}, folders: [], names: [], hooks: [], ralphHooks: false };

/** How a path is changed. A `tree` is removed, moved or copied with everything in it. */
export type GuardedChange = 'file' | 'tree';

/** Says why a path in the workspace must not be changed by a recording; null if it may. */
export function whyGuarded(path: string, change: GuardedChange, guards: Guards): string | null {
  const parts = path.split('/').map(plainName);
  const name = parts.at(-1) ?? '';
  if (parts.some((part) => GUARDED_NAMES.has(part) || /^ralph(?:\.[\w-]{1,40})?\.(?:ya?ml|toml)$/.test(part)))
    return 'it can make Ralph, git or the agent CLI start a program';
  if (name === 'head') return 'git would take its folder for a repository';
  if (parts.includes('.ralph') && !RALPH_NOTES.test(parts.join('/')))
    return 'Ralph keeps its own records there';
  if (guards.names.some((guarded) => plainName(guarded) === name))
    return 'the configuration of the scenario mentions a script with this name';
  const files = [...Object.keys(guards.files), ...guards.folders];
  const isBelow = guards.folders.some((folder) => isAtOrBelow(path, folder));
  const isHit = files.some((file) => file === path || (change === 'tree' && isAtOrBelow(file, path)));
  return isBelow || isHit ? 'the scenario put a program or its configuration there' : null;
}

/** At any depth: a subfolder can be a project of its own. */
const GUARDED_NAMES: ReadonlySet<string> = new Set([
  ...['.git', '.gitmodules', '.claude', '.mcp.json', '.kiro', '.opencode', 'opencode.json'],
  // When Ralph is asked to restart, it builds itself again in its folder.
  ...['cargo.toml', '.cargo', 'restart-requested'],
]);

/** What agents write in the folder of Ralph. */
const RALPH_NOTES = /^\.ralph\/(?:agent(?:\/.*)?|(?:specs|tasks)(?:\/.*)?|[a-z]+-requested)$/;

/** Some file systems take these names for the same as those without. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toLowerCase();
}

function isAtOrBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
