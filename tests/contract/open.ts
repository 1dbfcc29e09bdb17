/** The promises that no scenario holds Ralph to yet. The list only gets shorter. */
export const OPEN: readonly string[] = ['continue/old command'];
