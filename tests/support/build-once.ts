import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseRenewalInCi } from './renewal.js';

const BUILD = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

/** Tests start the product as users do, from dist/: build it once so that they never see an old one. */
export function setup(): () => void {
  refuseRenewalInCi(process.env);
  execFileSync(process.execPath, [BUILD, '--no-types', '--if-changed'], { stdio: 'inherit' });
  const tools = linkSystemTools();
  process.env.RALPH_E2E_TEST_TOOLS = tools;
  // A test that means another ralph names it: none may take the one that a machine happens to have.
  process.env.RALPH_BIN = 'embedded';
  // The list of the user's own runs stays as it is.
  process.env.XDG_STATE_HOME = join(tools, 'state');
  return () => rmSync(tools, { recursive: true, force: true });
}

/** A folder with the few programs that tests need, so that no test depends on what else a machine has. */
function linkSystemTools(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-tools-'));
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const tool of ['git', 'sh', 'env', 'cat', 'cut', 'grep', 'head', 'ls', 'sleep', 'tail', 'ps']) {
    const found = ['/usr/bin', '/bin', '/usr/local/bin', '/opt/homebrew/bin']
      .map((dir) => join(dir, tool))
      .find(existsSync);
    if (found !== undefined) symlinkSync(found, join(folder, tool));
  }
  return folder;
}
