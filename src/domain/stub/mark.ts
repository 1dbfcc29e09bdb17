/** The variable that marks a server which a script plays. The stand-in for claude plays only such servers. */
export const STUB_MARK = 'RALPH_E2E_STUB_SERVER';
