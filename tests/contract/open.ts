/** The promises that no scenario holds Ralph to yet. The list only gets shorter. */
export const OPEN: readonly string[] = [
  'waves/not without concurrency',
  'waves/worker backend',
  'waves/worker that fails',
  'waves/one wave at a time',
  'loops/auto merge',
  'loops/merge when the first completes',
  'loops/merge',
  'loops/merge that fails',
  'loops/stop a running loop',
];
