import type { Containment } from './means.js';
import { openNamespaceScope } from './namespace.js';
import type { ProcessScope } from './process-scope.js';
import { subreaperScope } from './subreaper.js';
import { TRACKING_SCOPE } from './tracking.js';

/** Opens the scope of one attempt. */
export async function openScope(containment: Containment): Promise<ProcessScope> {
  switch (containment.kind) {
    case 'pid-namespace':
      return openNamespaceScope(containment);
    case 'subreaper':
      return subreaperScope(containment.perl);
    case 'tracking':
      return TRACKING_SCOPE;
    default:
      return containment satisfies never;
  }
}
