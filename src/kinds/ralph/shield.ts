import { chmod, copyFile, open, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../exec/files/make-folder.js';
import { findExecutable } from '../../exec/find-executable.js';

/**
 * Copies `ralph` to its own folder if agent CLIs are beside it, and returns the path to run. Ralph puts the folder of its
 * executable first on the agent's PATH, so real CLIs in a shared `bin` would be found before our stand-ins.
 */
export async function shieldFromAgents(
  ralph: string,
  agentCommands: readonly string[],
  folder: string,
): Promise<string> {
  const binary = await realpath(ralph);
  const home = dirname(binary);
  const shadowed = agentCommands.some((command) => findExecutable(command, home) !== null);
  // A script may need the files beside it and would not work elsewhere. The real ralph is a binary.
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
