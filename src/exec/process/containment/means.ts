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
