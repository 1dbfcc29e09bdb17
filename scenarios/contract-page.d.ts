/** What the build reads from docs/ralph-contract.md (scripts/contract.mjs). */
declare module '*/ralph-contract.md' {
  /** The promises that a scenario holds. */
  export const PROMISES: readonly {
    readonly area: string;
    readonly promise: string;
    readonly source: string;
    readonly about?: readonly string[];
    readonly holders: readonly {
      readonly scenario: string;
      readonly except: readonly string[];
      readonly checks: readonly string[];
    }[];
  }[];
}
