import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone when the test is over. */
export function makeTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-backends-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A fake agent CLI: shell code for `--version`, and for every other call. */
export interface FakeCli {
  readonly version?: string;
  readonly probe?: string;
}

/** Puts a fake CLI on a PATH of its own and returns the environment in which it is found. */
export function installFakeCli(command: string, { version = 'echo 1.2.3', probe = 'exit 1' }: FakeCli) {
  const folder = makeTempFolder();
  const bin = join(folder, 'bin');
  const home = join(folder, 'home');
  mkdirSync(bin);
  mkdirSync(home);
  const path = join(bin, command);
  writeFileSync(path, `#!/bin/sh\nif [ "$1" = --version ]; then\n${version}\nelse\n${probe}\nfi\n`);
  chmodSync(path, 0o755);
  return { path, home, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home } };
}
