/** The sets of scenarios that `--suite` names. */
export const SUITES = ['smoke', 'once', 'ralph', 'plugins', 'all'] as const;
type Suite = (typeof SUITES)[number];

/**
 * A suite, or `asked`: tiers 1–7, and in addition conversations and plugins that a filter or name asks for. A filter
 * asks for them if it matches nothing else.
 */
export type SuiteChoice = Suite | 'asked';

/** The most agent calls that the smoke suite makes on a backend. */
export const SMOKE_CALLS = 12;
