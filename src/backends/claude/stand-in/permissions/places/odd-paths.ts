import { resolve } from 'node:path';

/** Whether another system would read the name of a file differently. Claude Code then asks, on every system. */
export function isOddPath(path: string): boolean {
  return ODD.some((pattern) => pattern.test(path));
}

/** Short names, names of devices, and dots or spaces at the end of a name, which Windows leaves out. */
const ODD = [/~\d/, /\.(?:con|prn|aux|nul|com\d|lpt\d)$/i, /[^/. ][. ]+(?:\/|$)/, /(?:^|\/)\.{3,}(?:\/|$)/];

/** The full path that a file tool uses: without the spaces around it, and with `~` for the home folder. */
export function locateFile(path: string, cwd: string, home: string): string {
  const plain = path.trim();
  return plain === '~' || plain.startsWith('~/') ? resolve(home, `.${plain.slice(1)}`) : resolve(cwd, plain);
}
