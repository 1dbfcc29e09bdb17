import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

const { STUB_STATE, GITHUB_RUN_ID, GITHUB_WORKSPACE, INPUT_NAME, INPUT_PATH } = process.env;
const target = join(STUB_STATE, 'artifacts', GITHUB_RUN_ID, INPUT_NAME);
if (/["/:<>|*?\\]/.test(INPUT_NAME)) throw new Error(`The artifact name is not valid: ${INPUT_NAME}`);
if (existsSync(target))
  throw new Error(`an artifact with this name already exists on the workflow run: ${INPUT_NAME}`);
const withHidden = process.env['INPUT_INCLUDE-HIDDEN-FILES'] === 'true';
const isHidden = (path) =>
  relative(GITHUB_WORKSPACE, path)
    .split('/')
    .some((part) => /^\.[^.]/.test(part));
const named = INPUT_PATH.split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '')
  .flatMap(expand);
const files = named.flatMap(listFiles).filter((path) => withHidden || !isHidden(path));
if (files.length === 0) {
  console.log(`::warning::No files were found with the provided path: ${INPUT_PATH}`);
  process.exit(process.env['INPUT_IF-NO-FILES-FOUND'] === 'error' ? 1 : 0);
}
const root =
  named.length === 1 && statSync(named[0]).isDirectory() ? named[0] : files.map(dirname).reduce(shared);
for (const file of files) {
  const copy = join(target, relative(root, file));
  mkdirSync(dirname(copy), { recursive: true });
  cpSync(file, copy);
  chmodSync(copy, 0o644);
}
console.log(`Artifact ${INPUT_NAME}: ${files.length} files`);

/** Only the last part of a path may have a star here. */
function expand(path) {
  const full = resolve(path);
  if (!full.includes('*')) return existsSync(full) ? [full] : [];
  const pattern = new RegExp(`^${basename(full).split('*').map(escapePattern).join('.*')}$`);
  const folder = dirname(full);
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => pattern.test(name))
        .map((name) => join(folder, name))
    : [];
}

function escapePattern(text) {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

function listFiles(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}

function shared(a, b) {
  return b === a || b.startsWith(`${a}/`) ? a : shared(dirname(a), b);
}
