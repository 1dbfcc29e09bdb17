import { chmod, copyFile, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../exec/files/make-folder.js';
import { findExecutable } from '../../exec/find-executable.js';

/**
 * ralph puts the folder of its own executable first on the agent's PATH. Where the real agent CLIs lie in that folder
 * (a common `bin`), they would be found before our stand-ins: then ralph runs from a copy in a folder of its own.
 */
export async function shieldFromAgents(
  ralph: string,
  agentCommands: readonly string[],
  folder: string,
): Promise<string> {
  const binary = await realpath(ralph);
  const home = dirname(binary);
  const shadowed = agentCommands.some((command) => findExecutable(command, home) !== null);
  // A script finds its own parts beside itself: it would not work from elsewhere, and ralph proper is a binary.
  if (!shadowed || !(await isNativeBinary(binary))) return ralph;
  const copy = join(folder, 'ralph');
  await makeFolder(folder);
  await copyFile(binary, copy);
  await chmod(copy, 0o755);
  return copy;
}

const ELF = '7f454c46';
const MACH_O = ['cffaedfe', 'feedfacf', 'cafebabe'];

async function isNativeBinary(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const magic = buffer.toString('hex');
    return magic === ELF || MACH_O.includes(magic);
  } finally {
    await file.close();
  }
}
