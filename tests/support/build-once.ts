import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BUILD = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url));

/** Tests start the product as users do, from dist/: build it once so that they never see an old one. */
export function setup(): void {
  execFileSync(process.execPath, [BUILD], { stdio: 'inherit' });
}
