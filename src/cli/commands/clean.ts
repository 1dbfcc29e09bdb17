import { resolve } from 'node:path';
import { cleanWorkspaceRoot } from '../../workspace/clean.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { openScreen } from '../screen.js';

/** `ralph-e2e clean`: removes what we made and names what it left. */
export async function cleanCommand({ output }: { output: string }): Promise<ExitCode> {
  const screen = openScreen({ json: false });
  const folder = resolve(output);
  const { removed, left, servers } = await cleanWorkspaceRoot(folder);
  const nothing = servers.length === 0 ? `Nothing of ours in ${folder}.` : `Removed nothing from ${folder}.`;
  screen.print(removed.length === 0 ? nothing : `Removed ${removed.length} items from ${folder}.`);
  if (servers.length > 0) {
    screen.print(
      `Left what an MCP server works with: ${servers.join(', ')}. Once it has ended, clean again.`,
    );
  }
  if (left.length > 0) screen.print(`Left, because ralph-e2e did not make it: ${left.join(', ')}`);
  return EXIT.passed;
}
