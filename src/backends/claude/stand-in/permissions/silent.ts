import { parseCommandLine } from './shell/parse.js';

/** Whether the real program expects a command to print nothing. */
export function expectsNoOutput(command: string): boolean {
  const line = parseCommandLine(command, { home: '/', cwd: '/' });
  const names = line.kind === 'opaque' ? [] : line.commands.map(({ words }) => words[0]?.text ?? '');
  return names.length > 0 && names.every((name) => SILENT.includes(name));
}

/** Commands that print nothing if they succeed. */
const SILENT = [
  ...['mv', 'cp', 'rm', 'mkdir', 'rmdir', 'chmod', 'chown', 'chgrp', 'touch', 'ln'],
  ...['cd', 'export', 'unset', 'wait'],
];
