import { code } from '../parts.js';
import { html, type Markup } from './markup.js';

/** Where a page lies, as far as its links need it. */
export interface LinkBase {
  /** The folder that holds the runs' folder. */
  readonly root: string;
  /** How the page reaches the runs: `runs/` from the folder itself, `../` from the folder of one of them. */
  readonly runs: string;
}

/** A path as text, and as a link where it is one of the run's own files beside the report. */
export function pathLink(path: string, root: LinkBase): Markup {
  const href = relativeLink(path, root);
  return href === null ? code(path, 400) : html`<a class="path" href="${href}">${code(path, 400)}</a>`;
}

/**
 * The address of a file below `runs/`, seen from the report. Anything else gets none: workspaces
 * hold what agents wrote, and a path that is not made of plain names could lead out of the folder or be no path at all.
 */
function relativeLink(path: string, { root, runs }: LinkBase): string | null {
  const inside = `${root}/runs/`;
  if (root === '' || !path.startsWith(inside)) return null;
  const names = path.slice(inside.length).split('/');
  const plain = names.every((name) => /^[\w@+-][\w.@+-]*$/.test(name));
  return plain ? `${runs}${names.join('/')}` : null;
}
