import { html, type Markup } from './markup.js';
import { code } from './parts.js';

/** A path as text, and as a link where it is one of the run's own files beside the report. */
export function pathLink(path: string, root: string): Markup {
  const href = relativeLink(path, root);
  return href === null ? code(path, 400) : html`<a class="path" href="${href}">${code(path, 400)}</a>`;
}

/**
 * The address of a file below `runs/`, seen from the report, which lies in `root`. Anything else gets none: workspaces
 * hold what agents wrote, and a path that is not made of plain names could lead out of the folder or be no path at all.
 */
function relativeLink(path: string, root: string): string | null {
  const inside = `${root}/runs/`;
  if (root === '' || !path.startsWith(inside)) return null;
  const names = path.slice(inside.length).split('/');
  const plain = names.every((name) => /^[\w@+-][\w.@+-]*$/.test(name));
  return plain ? `runs/${names.join('/')}` : null;
}
