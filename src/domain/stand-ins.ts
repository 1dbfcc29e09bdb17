/** Appended to the version of every stand-in, so that nobody takes it for the program. */
export const STAND_IN_MARK = '(ralph-e2e stand-in)';

/** The versions of the real programs that our stand-ins imitate, in the words in which each prints its own. */
export const IMITATED_VERSIONS = {
  ralph: '2.10.1',
  claude: '2.1.325 (Claude Code)',
  'kiro-cli': '2.0.0',
  opencode: '1.18.18',
  codex: '0.166.0',
  gemini: '0.61.0',
  pi: '0.73.1',
} as const;

/** The word for `--ralph` that asks for the stand-in. */
export const EMBEDDED_RALPH = 'embedded';
