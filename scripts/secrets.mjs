// Plants every kind of credential in every place that an agent, a scenario or Ralph can write to, runs the harness on
// stand-ins, and searches all that the harness wrote and printed. Prints a table and exits with 1 if something leaked.
// usage: npm run secrets
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CLI, inTempFolder, listChoices } from './harness.mjs';
import { FORMS, KNOWN } from './secrets/kinds.mjs';
import { labelOf, PLACES, PLANTS } from './secrets/places.mjs';

const OWN = join(import.meta.dirname, 'secrets');
/** What a run writes; a blob is packed, and no text. */
const WRITTEN = listChoices('claude', '--mock', '--report').filter((name) => name !== 'blob');
const ALL_PLACES = [...PLACES, 'said', 'check'];
/** How far before a leak its label may be. */
const LOOK_BACK = 2500;

await inTempFolder('ralph-e2e-secrets-', (folder) => {
  const written = runPlanted(folder);
  const leaks = findLeaks(written);
  printTable(leaks, findReached(written));
  if (leaks.size > 0) process.exitCode = 1;
});

function runPlanted(cwd) {
  const home = join(cwd, 'home');
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(join(home, '.codex/auth.json'), JSON.stringify({ tokens: { access_token: KNOWN.login } }));
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, NO_COLOR: '1' },
    ...{ PLANTED_SERVICE_TOKEN: KNOWN.variable, PLANTED_DSN: KNOWN.passed },
  };
  const run = (args) => {
    const options = { cwd, env, encoding: 'utf8', maxBuffer: 1e9 };
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], options);
    if (status === null || status === 2) throw new Error(`${stdout}\n${stderr}`);
    return { name: `the screen of ${args[0]}`, text: stdout + stderr };
  };
  const first = run([
    ...['claude', '--mock', '--scenarios', join(OWN, 'scenario.mjs'), '--ralph', join(OWN, 'ralph.mjs')],
    ...['--env', 'PLANTED_DSN', '--timeout', '500', '--verbose', '--follow', '--report', WRITTEN.join()],
  ]);
  const shown = listChoices('show', '--format').map((format) => run(['show', '--format', format]));
  return [first, ...shown, ...readAll(join(cwd, '.e2e-tests'))];
}

/** Reads everything in the output folder except the workspace, which belongs to the agent. */
function readAll(output) {
  return readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(output, path).startsWith('planted-claude/'))
    .map((path) => ({ name: relative(output, path), text: `${path}\n${readFileSync(path, 'utf8')}` }));
}

/** A text as reports write it. */
function spellings(text) {
  const html = FORMS['in HTML'](text);
  const json = [FORMS['in JSON'](text), FORMS['in JSON in JSON'](text)];
  return [...new Set([text, ...json, html, html.replaceAll('&#39;', "'")])];
}

function findLeaks(written) {
  const leaks = new Map();
  for (const [index, { needles }] of PLANTS.entries())
    for (const needle of needles.flatMap(spellings))
      for (const { name, text } of written)
        for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
          const before = text.slice(Math.max(0, at - LOOK_BACK), at);
          const place = ALL_PLACES.filter((one) => before.includes(labelOf(one, index))).sort(
            (a, b) => before.lastIndexOf(labelOf(b, index)) - before.lastIndexOf(labelOf(a, index)),
          )[0];
          const key = `${index} ${place ?? 'unknown'}`;
          leaks.set(key, (leaks.get(key) ?? new Set()).add(name));
        }
  return leaks;
}

/** Which labels were written at all: where none was, nothing is shown by its absence. */
function findReached(written) {
  // Not at the beginning of a word: JSON shows the line break before a label as `n`.
  const label = new RegExp(`(${ALL_PLACES.join('|')})#(\\d+)#`, 'g');
  const reached = new Set();
  for (const { text } of written)
    for (const [, place, index] of text.matchAll(label)) reached.add(`${index} ${place}`);
  return reached;
}

function printTable(leaks, reached) {
  const width = Math.max(...PLANTS.map(({ kind }) => kind.length));
  console.log(`${'kind'.padEnd(width)}  ${ALL_PLACES.join('  ')}`);
  for (const [index, { kind }] of PLANTS.entries()) {
    const cells = ALL_PLACES.map((place) => {
      const key = `${index} ${place}`;
      const mark = leaks.has(key) ? 'LEAK' : reached.has(key) ? 'ok' : '-';
      return mark.padEnd(place.length);
    });
    console.log(`${kind.padEnd(width)}  ${cells.join('  ')}`);
  }
  for (const [key, names] of leaks) {
    const [index, place] = key.split(' ');
    console.log(`LEAK: ${PLANTS[Number(index)]?.kind}, planted in ${place}: in ${[...names].join(', ')}`);
  }
  const cells = PLANTS.length * ALL_PLACES.length;
  const ok = [...reached].filter((key) => !leaks.has(key)).length;
  console.log(
    `${PLANTS.length} kinds in ${ALL_PLACES.length} places: ${ok} of ${cells} hidden, ${leaks.size} leaked, ${cells - ok - leaks.size} not written (ok: written without the credential; -: not written at all)`,
  );
}
