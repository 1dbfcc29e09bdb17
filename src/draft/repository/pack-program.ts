import { KnownError } from '../../domain/common/known-error.js';
import { buildEnvironment } from '../../exec/environment.js';
import { makeChosenFolder } from '../../exec/files/make-folder.js';
import { packageRoot } from '../../exec/files/package-root.js';
import { runCommand } from '../../exec/process/run-command.js';

const TIME_LIMIT_MS = 120_000;

/** Packs this ralph-e2e into a folder, as `npm pack` would publish it. Needs no network. */
export async function packProgram(folder: string): Promise<void> {
  await makeChosenFolder(folder, 'Name a folder that you can write to.');
  const args = ['pack', packageRoot(), '--ignore-scripts', '--pack-destination', folder];
  const { ok, stderr } = await runCommand('npm', args, {
    cwd: folder,
    env: buildEnvironment({ base: process.env }),
    timeoutMs: TIME_LIMIT_MS,
  });
  if (ok) return;
  const found = stderr.trim().split('\n').at(-1) ?? '';
  throw new KnownError(
    `Expected npm to pack ralph-e2e, found ${found === '' ? 'that it cannot be started' : `an error: ${found}`}.`,
    { hint: `Pack it yourself: npm pack ${packageRoot()} --pack-destination ${folder}` },
  );
}
