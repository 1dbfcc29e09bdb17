import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseObject, toRecord } from './values.js';

/** Whether the user trusts the folder, and where that is written. */
export interface Trust {
  readonly accepted: boolean;
  readonly file: string;
  readonly folder: string;
}

/** Reads whether the user once accepted to trust this folder. */
export function readTrust(cwd: string, env: Readonly<Record<string, string | undefined>>): Trust {
  const file = join(env.CLAUDE_CONFIG_DIR ?? env.HOME ?? '/', '.claude.json');
  const folder = existsSync(cwd) ? realpathSync(cwd) : cwd;
  const projects = existsSync(file) ? toRecord(parseObject(readFileSync(file, 'utf8'), file).projects) : {};
  const accepted = [folder, ...parentsOf(folder)].some(
    (path) => toRecord(projects[path]).hasTrustDialogAccepted === true,
  );
  return { accepted, file, folder };
}

function parentsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [] : [parent, ...parentsOf(parent)];
}

/** Says which entries of an untrusted project are ignored. */
export function describeIgnored(key: string, entries: readonly string[], { file, folder }: Trust): string[] {
  if (entries.length === 0) return [];
  const count = `${entries.length} permissions.${key} ${entries.length === 1 ? 'entry' : 'entries'}`;
  return [
    `Ignoring ${count} from .claude/settings.json: this workspace has not been trusted. Run Claude Code interactively here once and accept the trust dialog, or set projects["${folder}"].hasTrustDialogAccepted: true in ${file}.`,
  ];
}
