import { resolve } from 'node:path';
import { cleanWorkspaceRoot } from '../../workspace/clean.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { openScreen } from '../screen.js';

/** `ralph-e2e clean`: removes what we made and names what it left. */
export async function cleanCommand({ output }: { output: string }): Promise<ExitCode> {
  const screen = openScreen({ json: false });
  const folder = resolve(output);
  const { removed, left } = await cleanWorkspaceRoot(folder);
  screen.print(
    removed.length === 0
      ? `Nothing of ours in ${folder}.`
      : `Removed ${removed.length} items from ${folder}.`,
  );
  if (left.length > 0) screen.print(`Left, because ralph-e2e did not make it: ${left.join(', ')}`);
  return EXIT.passed;
}
