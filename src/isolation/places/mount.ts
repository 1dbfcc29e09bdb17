/** The folders of an overlay. What is written inside stays in `upper`, and the machine never sees it. */
export interface Layer {
  readonly upper: string;
  readonly work: string;
  /** Where both are merged, before a sandbox uses it. */
  readonly merged: string;
}

/** A path inside: a path of this machine, with or without a layer over it, or something empty. */
export type Mount =
  | {
      readonly path: string;
      readonly mode: 'read-only' | 'read-write' | 'empty-folder' | 'empty-file';
      /** The path on this machine, if it differs. */
      readonly source?: string;
    }
  | { readonly path: string; readonly mode: 'layered'; readonly layer: Layer };
