import { join } from 'node:path';
import type { ArrangedFile } from '../../domain/scenario/arrangement.js';
import { statOrNull } from '../../exec/files/stat-or-null.js';
import type { RalphConfig } from '../../kinds/ralph/config.js';
import type { WorkspaceReader } from '../../workspace/read-inside.js';
import { LIMITS } from './limits.js';

const MAX_WORDS = 500;

/** Finds the files that the configuration names: scripts of hooks, skills and so on. */
export async function findNamedFiles(
  folder: string,
  reader: WorkspaceReader,
  config: RalphConfig,
  except: ReadonlySet<string>,
): Promise<{ readonly files: Readonly<Record<string, ArrangedFile>>; readonly gaps: readonly string[] }> {
  const files: Record<string, ArrangedFile> = {};
  const gaps: string[] = [];
  const words = new Set(listTexts(config).flatMap((text) => text.split(/\s+/)));
  for (const word of [...words].slice(0, MAX_WORDS)) {
    const path = word.replace(/^(?:\.\/)+/, '');
    if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(path) || path.split('/').includes('..')) continue;
    if (except.has(path) || /^\.(?:git|claude)\//.test(path) || files[path] !== undefined) continue;
    const stat = await statOrNull(join(folder, path));
    if (stat?.isFile() !== true) continue;
    const text = stat.size > LIMITS.fileBytes ? null : await reader.read(path);
    if (text === null || text.includes('\0'))
      gaps.push(`ralph.yml names ${path}, which is too large or not a text file.`);
    else files[path] = (stat.mode & 0o111) === 0 ? text : { content: text, mode: 0o755 };
    if (Object.keys(files).length >= LIMITS.files) break;
  }
  return { files, gaps };
}

/** Texts for agents mention files too, but those are for the agent to read. */
const FOR_AGENTS = new Set(['instructions', 'description', 'guardrails', 'prompt']);

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (FOR_AGENTS.has(key) ? [] : listTexts(item)));
}
