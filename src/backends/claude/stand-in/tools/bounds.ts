import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type Guards, NO_GUARDS, whyGuarded } from '../../../../domain/recording/guards.js';
import { checkCommandLine, insidePath, type NamedPath } from '../../../../domain/recording/shell/check.js';
import type { CommandLine } from '../../../../domain/recording/shell/command-line.js';
import { hasErrorCode } from '../../../../exec/error-code.js';
import type { ClaudeStage } from '../stage.js';

/** The bounds of a replay: the files of the workspace without what is guarded. What leaves them is a divergence. */
export function openBounds(stage: ClaudeStage, guards: Guards = NO_GUARDS) {
  const { cwd } = stage.around;
  const root = realpathSync(cwd);
  const leave = (why: string): never => stage.actor.diverge(`A replay does not do this: ${why}.`);

  const requirePath = ({ path, use }: NamedPath): string => {
    if (hasLink(root, path)) leave(`${path} is a link, or is behind one`);
    if (use === 'source' && holdsLink(join(root, path))) leave(`${path} contains a link`);
    if (use === 'script' && hashOf(join(root, path)) !== guards.files[path])
      leave(`${path} is not as the scenario put it there`);
    return join(root, path);
  };

  return {
    /** Returns the path of a file that a recording reads or writes. */
    requireFile(word: string, use: 'read' | 'write'): string {
      const path = insidePath(word, cwd) ?? leave(`${word} is outside the workspace`);
      const why = use === 'read' ? null : path === '' ? 'it is a folder' : whyGuarded(path, 'file', guards);
      if (why !== null) leave(`${word} must not be changed: ${why}`);
      return requirePath({ path, use });
    },
    /** Requires that a command line stays inside. */
    requireLine(line: CommandLine): void {
      const folder = relative(root, stage.tools.shellFolder === cwd ? root : stage.tools.shellFolder);
      const checked = checkCommandLine(line, { workspace: cwd, cwd: folder, guards });
      if (checked.kind === 'refused') leave(checked.why);
      else for (const path of checked.paths) requirePath(path);
    },
  };
}

/** Whether a part of a path below a folder is a symbolic link. */
function hasLink(root: string, path: string): boolean {
  let place = root;
  for (const part of path.split('/').filter((name) => name !== '')) {
    place = join(place, part);
    const stat = lstatOrNull(place);
    if (stat === null) return false;
    if (stat.isSymbolicLink()) return true;
  }
  return false;
}

/** Whether there is a link anywhere below. A link that is copied could lead a later write outside. */
function holdsLink(path: string): boolean {
  const stat = lstatOrNull(path);
  if (stat === null || !stat.isDirectory()) return stat?.isSymbolicLink() ?? false;
  return readdirSync(path).some((name) => holdsLink(join(path, name)));
}

function lstatOrNull(path: string) {
  try {
    return lstatSync(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

function hashOf(path: string): string | null {
  return lstatOrNull(path)?.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
}
