/** The promises that no scenario holds Ralph to yet. The list only gets shorter. */
export const OPEN: readonly string[] = [
  'skills/claude-skills',
  'continue/old command',
  'loops/auto merge',
  'loops/merge when the first completes',
  'loops/merge',
  'loops/merge that fails',
  'loops/stop a running loop',
];
