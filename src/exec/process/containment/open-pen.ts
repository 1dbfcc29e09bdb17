import type { Containment } from './means.js';
import { openNamespacePen } from './namespace.js';
import type { Pen } from './pen.js';
import { subreaperPen } from './subreaper.js';
import { TRACKING_PEN } from './tracking.js';

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
