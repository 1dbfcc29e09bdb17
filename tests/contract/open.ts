/** The promises that no scenario holds Ralph to yet. The list only gets shorter. */
export const OPEN: readonly string[] = ['skills/claude-skills', 'continue/old command'];
