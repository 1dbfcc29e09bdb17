import { code } from '../parts.js';
import { html, type Markup } from './markup.js';

/** Where a page is, as far as its links need it. */
export interface LinkBase {
  /** The folder that contains `runs/`. */
  readonly root: string;
  /** The prefix of links to runs: `runs/` from the folder itself, `../` from the folder of one run. */
  readonly runs: string;
}

/** Renders a path; as a link if it is one of the run's own files near the report. */
export function pathLink(path: string, root: LinkBase): Markup {
  const href = relativeLink(path, root);
  return href === null ? code(path, 400) : html`<a class="path" href="${href}">${code(path, 400)}</a>`;
}

/** Renders a short link to one of the run's own files; null if it cannot be a link. */
export function namedLink(name: string, path: string, root: LinkBase): Markup | null {
  const href = relativeLink(path, root);
  return href === null ? null : html`<a href="${href}">${name}</a>`;
}

/**
 * Returns the link to a file below `runs/`, relative to the report. Anything else gets none: workspaces contain what
 * agents wrote, and a path that is not made of plain names could leave the folder or not be a path at all.
 */
function relativeLink(path: string, { root, runs }: LinkBase): string | null {
  const inside = `${root}/runs/`;
  if (root === '' || !path.startsWith(inside)) return null;
  const names = path.slice(inside.length).split('/');
  const plain = names.every((name) => /^[\w@+-][\w.@+-]*$/.test(name));
  return plain ? `${runs}${names.join('/')}` : null;
}
