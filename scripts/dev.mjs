// Builds what `node dist/cli.js` needs, now and whenever a source changes, until Ctrl-C. Keeps types, and the bytecode
// of programs that did not change; the others start from source.
//   --once  build and exit
import { EventEmitter, once } from 'node:events';
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { FOLDERS } from './backends.mjs';
import { BrokenSources, openBundles, writeFiles } from './dist-files.mjs';
import { beginDist } from './dist-folder.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const WATCHED = ['src', 'scenarios', 'docs'];
/** An editor or git changes several files at once: one build is enough for them. */
const SETTLE_MS = 30;

// Writing a dist and moving it into place is synchronous, so nothing stays half done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(0));

const bundles = openBundles(esbuild, root);
if (process.argv.includes('--once')) {
  process.exitCode = (await build()) ? 0 : 1;
  await bundles.dispose();
} else {
  await buildAgainAndAgain();
}

async function buildAgainAndAgain() {
  const changes = new EventEmitter();
  let watchers = [];
  let built;
  for (;;) {
    // Add watchers first, so that no change is missed; a re-created folder needs a new one.
    const last = watchers;
    watchers = WATCHED.flatMap(listFolders).flatMap((folder) => watchFolder(folder, changes));
    for (const watcher of last) watcher.close();
    const sources = describeSources();
    if (sources === built) {
      await once(changes, 'change');
      await wait(SETTLE_MS);
    } else {
      await build();
      if (built === undefined)
        process.stdout.write('Watching src/, scenarios/ and docs/. Stop with Ctrl-C.\n');
      built = sources;
    }
  }
}

async function build() {
  const begun = performance.now();
  try {
    const changed = putInPlace(await bundles.make());
    const seconds = ((performance.now() - begun) / 1000).toFixed(2);
    process.stdout.write(`Built dist in ${seconds} s${changed ? '' : ', and nothing changed'}.\n`);
    return true;
  } catch (error) {
    // Sources that change while they are read are left to the next build.
    if (!(error instanceof BrokenSources) && error.code === undefined) throw error;
    process.stderr.write(`${error.message.trimEnd()}\n`);
    process.stdout.write('Not built: dist is what it was.\n');
    return false;
  }
}

/** Makes these files the new dist, unless the current one is identical. */
function putInPlace(files) {
  if (isInPlace(files)) return false;
  const next = beginDist(root);
  try {
    writeFiles(next.path, files);
    keepBytecode(files, next.path);
    const types = join(dist, 'types');
    if (existsSync(types)) cpSync(types, join(next.path, 'types'), { recursive: true });
    next.finish();
  } catch (error) {
    next.discard();
    throw error;
  }
  return true;
}

function isInPlace(files) {
  if (!existsSync(dist)) return false;
  const added = /^types\/|^\.inputs$|\.bytecode$/;
  const there = listFiles(dist).map((path) => relative(dist, path));
  return (
    there.filter((path) => !added.test(path)).every((path) => files.has(path)) &&
    [...files].every(([path, { contents }]) => readOrNull(join(dist, path)) === contents)
  );
}

/** Bytecode is named after its source, so existing bytecode with that name fits. */
function keepBytecode(files, folder) {
  for (const [program, { contents, started }] of files) {
    if (!started) continue;
    const [, name] = /^\/\/(\w+)\n/.exec(contents);
    const from = join(dist, dirname(program));
    for (const file of existsSync(from) ? readdirSync(from) : [])
      if (file.startsWith(`${basename(program)}.${name}.`) && file.endsWith('.bytecode'))
        copyFileSync(join(from, file), join(folder, dirname(program), file));
  }
}

/** Reports changes in a folder; a missing folder counts as changed. */
function watchFolder(folder, changes) {
  const tell = () => changes.emit('change');
  try {
    return watch(folder, tell).on('error', tell);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    setImmediate(tell);
    return [];
  }
}

/** Lists all sources with their times, except the one that the build writes. */
function describeSources() {
  return WATCHED.flatMap((folder) => listFiles(join(root, folder)))
    .filter((path) => path !== join(root, FOLDERS))
    .map((path) => {
      const { ino, size, mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return [path, ino, size, mtimeMs].join(' ');
    })
    .join('\n');
}

function listFolders(name) {
  const folder = join(root, name);
  return [folder, ...listEntries(folder, (entry) => entry.isDirectory())];
}

function listFiles(folder) {
  return listEntries(folder, (entry) => entry.isFile()).sort();
}

function listEntries(folder, isWanted) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(isWanted)
    .map((entry) => join(entry.parentPath, entry.name));
}

function readOrNull(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}
