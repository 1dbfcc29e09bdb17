import { openNamespacePen } from './namespace.js';
import type { Pen } from './pen.js';
import { subreaperPen } from './subreaper.js';
import { TRACKING_PEN } from './tracking.js';

/** The programs that make a PID namespace and enter it. They are part of util-linux and coreutils. */
interface NamespaceTools {
  readonly unshare: string;
  readonly nsenter: string;
  readonly setsid: string;
  readonly env: string;
}

/** What keeps the processes of an attempt together. It is decided once for a run. */
export type Containment =
  | {
      readonly kind: 'pid-namespace';
      readonly tools: NamespaceTools;
      /** Whether it needs a user namespace, because we are not root. */
      readonly user: boolean;
    }
  | { readonly kind: 'subreaper'; readonly perl: string }
  | { readonly kind: 'tracking' };

/** Opens the pen of one attempt. */
export async function openPen(containment: Containment): Promise<Pen> {
  switch (containment.kind) {
    case 'pid-namespace':
      return openNamespacePen(containment);
    case 'subreaper':
      return subreaperPen(containment.perl);
    case 'tracking':
      return TRACKING_PEN;
    default:
      return containment satisfies never;
  }
}
