import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasErrorCode } from '../../exec/error-code.js';
import { writeFileAtomic } from '../../exec/files/atomic-write.js';
import { removeTree } from '../../exec/files/remove-tree.js';
import { pidNamespace } from '../../exec/pid-namespace.js';
import { endMarked } from '../../exec/process/end-marked.js';
import { describeSelf, isHeld, readHolder } from '../../workspace/holder.js';

const PREFIX = 'ralph-e2e-mcp-';
const HOLDER_FILE = 'holder.json';

/** The variable that says which server a process belongs to, by the server's own folder. */
export const SERVER_MARKER = 'RALPH_E2E_MCP_SERVER_FOLDER';

/** Creates the folder of this server for homes and captured output. It is deleted with the server. */
export async function openServerFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), ownPrefix()));
  await writeFileAtomic(join(path, HOLDER_FILE), JSON.stringify(describeSelf()), { durable: false });
  return path;
}

/** The names of servers whose processes we can see. */
function ownPrefix(): string {
  return `${PREFIX}${pidNamespace()}-`;
}

/** Ends and removes what servers left that were killed: nothing else would ever do it. */
export async function sweepDeadServers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(ownPrefix())) continue;
    const path = join(tmpdir(), name);
    const holder = readHolder(join(path, HOLDER_FILE));
    // Without a holder, it is of another user, of an older version, or just being made.
    if (holder === null || isHeld(holder)) continue;
    await endMarked({ name: SERVER_MARKER, value: path });
    // Another server may be removing it at the same time.
    await removeTree(path).catch((error: unknown) => {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTEMPTY')) throw error;
    });
  }
}
