import { resolve } from 'node:path';
import { cleanWorkspaceRoot } from '../../workspace/clean.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { openScreen } from '../screen.js';

/** Runs `ralph-e2e clean`: removes what ralph-e2e made and lists what it left. */
export async function cleanCommand({ output }: { output: string }): Promise<ExitCode> {
  const screen = openScreen({ json: false });
  const folder = resolve(output);
  const { removed, left, servers } = await cleanWorkspaceRoot(folder);
  const nothing =
    servers.length === 0 ? `Nothing to remove in ${folder}.` : `Removed nothing from ${folder}.`;
  const items = removed.length === 1 ? '1 item' : `${removed.length} items`;
  screen.tell(removed.length === 0 ? nothing : `Removed ${items} from ${folder}.`);
  if (servers.length > 0) {
    screen.tell(
      `Kept the files of a running MCP server: ${servers.join(', ')}. Run clean again when it has ended.`,
    );
  }
  if (left.length > 0) screen.tell(`Kept, because ralph-e2e did not make it: ${left.join(', ')}`);
  return EXIT.passed;
}
