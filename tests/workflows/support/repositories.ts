import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addProgram, type World } from './act.js';
import { ROOT } from './tools.js';

/** Creates a git repository with these files. */
export function createRepository({ folder }: World, files: Readonly<Record<string, string>>): string {
  const repository = mkdtempSync(join(folder, 'repository-'));
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd: repository });
  for (const [path, text] of Object.entries(files)) writeInto(repository, path, text);
  commit(repository);
  return repository;
}

/** Runs `ralph-e2e init` in a repository and commits what it wrote. */
export function initialize(repository: string, ...flags: readonly string[]): void {
  execFileSync(process.execPath, [join(ROOT, 'dist/cli.js'), 'init', ...flags], { cwd: repository });
  commit(repository);
}

/** Changes a file and commits it. */
export function change(repository: string, path: string, edit: (text: string) => string): void {
  writeInto(repository, path, edit(readFileSync(join(repository, path), 'utf8')));
  commit(repository);
}

/** Creates a copy of a folder as a repository. */
export function copyAsRepository(world: World, from: string): string {
  const repository = createRepository(world, {});
  cpSync(from, repository, { recursive: true });
  commit(repository);
  return repository;
}

function writeInto(repository: string, path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
}

function commit(repository: string): void {
  const author = ['-c', 'user.name=somebody', '-c', 'user.email=somebody@example.com'];
  execFileSync('git', ['add', '--all'], { cwd: repository });
  execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'a change'], {
    cwd: repository,
  });
}

/**
 * Puts a `cargo` on PATH that installs a Ralph at once: the one in `$WORKFLOW_RALPH`, or the stand-in, with the fault
 * that the file `fault` in the sources names.
 */
export function addCargo(world: World): void {
  const ralph = process.env.WORKFLOW_RALPH ?? join(ROOT, 'dist/standin/bin/ralph');
  addProgram(
    world,
    'cargo',
    `#!/bin/sh
what=none
while [ $# -gt 0 ]; do
  case "$1" in
    --root) root=$2; shift ;;
    --path) what=$2; shift; [ -f "$what/Cargo.toml" ] || { echo "error: no Cargo.toml in $what" >&2; exit 101; } ;;
    ralph-cli@*) what=$1 ;;
  esac
  shift
done
[ "$what" != none ] || { echo 'error: nothing to install' >&2; exit 101; }
mkdir -p "$root/bin"
cat > "$root/bin/ralph" <<END
#!/bin/sh
export RALPH_STANDIN_TIME_SCALE=0.01 RALPH_STANDIN_FAULT=$(cat "$what/fault" 2>/dev/null)
exec ${ralph} "\\$@"
END
chmod +x "$root/bin/ralph"
`,
  );
}
