import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

let packed: string | undefined;

/** Puts the package into a folder as it would be published, packed once for all tests, and returns its name there. */
export function packInto(folder: string): string {
  packed ??= pack();
  copyFileSync(packed, join(folder, basename(packed)));
  return basename(packed);
}

function pack(): string {
  // The folder of tools goes when all tests are over.
  const folder = mkdtempSync(join(process.env.RALPH_E2E_TEST_TOOLS ?? tmpdir(), 'packed-'));
  // Without scripts: dist/ was built for these tests.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' }));
  return join(folder, filename);
}

/** A new user of the package: an empty folder, Node with npm, git and a shell, and no agent CLI or ralph. */
export interface NewUser {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The environment of a user who has installed a program more. */
  readonly withProgram: (program: string) => Readonly<Record<string, string>>;
  readonly leave: () => void;
}

const TOOLS = ['node', 'npm', 'npx', 'git', 'sh', 'env', 'mkdir', 'ps'];

/** Makes one. npm keeps its cache and its settings, and asks the registry as little as it can. */
export function becomeNewUser(): NewUser {
  const place = mkdtempSync(join(tmpdir(), 'ralph-e2e-user-'));
  const [folder, tools] = [join(place, 'folder'), join(place, 'bin')];
  for (const path of [folder, tools]) mkdirSync(path);
  for (const tool of TOOLS) symlinkSync(locate(tool), join(tools, tool));
  const { HOME = '/' } = process.env;
  const env = { PATH: tools, HOME, npm_config_prefer_offline: 'true' };
  return {
    folder,
    env,
    withProgram: (program) => ({ ...env, PATH: [tools, dirname(program)].join(delimiter) }),
    leave: () => rmSync(place, { recursive: true, force: true }),
  };
}

function locate(tool: string): string {
  if (tool === 'node') return process.execPath;
  return realpathSync(execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim());
}
