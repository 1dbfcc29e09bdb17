import { openPen } from '../exec/process/containment/open-pen.js';
import type { Pen } from '../exec/process/containment/pen.js';
import type { SuiteSettings } from './settings.js';

/** The pen of one attempt. A sandbox keeps processes by itself: then there is none. */
export interface AttemptPen {
  readonly open: () => Promise<Pen | undefined>;
  readonly close: () => Promise<void>;
}

/** Begins to open the pen of an attempt. That takes as long as a few processes, so the workspace is created meanwhile. */
export function preparePen({ enclosure, containment }: SuiteSettings): AttemptPen {
  const opening = enclosure === undefined ? openPen(containment) : Promise.resolve(undefined);
  // Whoever opens it gets the error.
  const settled = opening.catch(() => undefined);
  return {
    open: () => opening,
    close: async () => (await settled)?.close(),
  };
}
