// Runs the reproductions in examples/bugs on releases of Ralph, for docs/found-in-ralph.md. Needs `npm run real:setup`.
//   node scripts/releases.mjs [<version>…]    builds these releases, or all in the table, and updates the table
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathOf, setUp, tools } from './tools.mjs';

const BUGS = join(import.meta.dirname, '../examples/bugs');
const TABLE = join(import.meta.dirname, '../tests/scenarios/releases.json');
const table = JSON.parse(readFileSync(TABLE, 'utf8'));
const ids = readdirSync(BUGS);
const pinned = new Map(ids.map((id) => [id, reproduce(id, pathOf('ralph', tools.ralph))]));

for (const version of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(table)) {
  const tool = { ...tools.ralph, packages: { 'ralph-cli': version } };
  const { text, failed } = setUp('ralph', tool);
  console.log(`${version}: ${text}`);
  table[version] = Object.fromEntries(failed ? [] : ids.map((id) => [id, judge(id, pathOf('ralph', tool))]));
  writeFileSync(TABLE, `${JSON.stringify(table, null, 2)}\n`);
}

/** Returns 1 if Ralph fails as the pinned one does, 0 if it keeps its promise, and 2 if it is different each time. */
function judge(id, ralph, tries = 2) {
  const [said, known] = [reproduce(id, ralph), pinned.get(id)];
  // An older Ralph may not see that the agent is done: its exit code counts if the promise is about the end.
  const failure = /^broken: (?:the loop|Ralph) /m.test(known) ? known : known.replace(/\d+\.\n$/, '');
  if (said.startsWith('broken: ') && said.startsWith(failure)) return 1;
  if (said.startsWith('Ralph') && (said.includes(' 0.') || known.endsWith(said))) return 0;
  return tries > 1 ? judge(id, ralph, tries - 1) : 2;
}

function reproduce(id, ralph) {
  const TMPDIR = mkdtempSync(join(tmpdir(), 'ralph-release-'));
  const options = { env: { PATH: process.env.PATH, TMPDIR }, encoding: 'utf8', timeout: 180_000 };
  const { status, stdout, stderr } = spawnSync('sh', [join(BUGS, id, 'run.sh'), ralph], options);
  rmSync(TMPDIR, { recursive: true, force: true });
  return status === 2 ? `cannot say: ${stderr}` : stdout.replace(/ What it left .*/, '');
}
