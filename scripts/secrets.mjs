// Plants every kind of credential in every place that an agent, a scenario or Ralph can write to, runs the harness on
// stand-ins, and searches all that the harness wrote and printed. Prints a table and exits with 1 if something leaked.
// usage: npm run secrets [-- --catalog]     with --catalog also counts what is removed from the whole catalog by mistake
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { KNOWN } from './secrets/kinds.mjs';
import { labelOf, PLACES, PLANTS } from './secrets/places.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLI = join(ROOT, 'dist/cli.js');
const FORMATS = 'markdown,json,html,junit,github';
const ALL_PLACES = [...PLACES, 'said', 'check'];
/** How far before a leak its label may be. */
const LOOK_BACK = 2500;

const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-secrets-'));
try {
  const written = runPlanted(join(folder, 'planted'));
  const leaks = findLeaks(written);
  printTable(leaks, findReached(written));
  if (leaks.size > 0) process.exitCode = 1;
  if (process.argv.includes('--catalog')) countMistakes(join(folder, 'catalog'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function runPlanted(cwd) {
  const home = join(cwd, 'home');
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(join(home, '.codex/auth.json'), JSON.stringify({ tokens: { access_token: KNOWN.login } }));
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, NO_COLOR: '1' },
    ...{ PLANTED_SERVICE_TOKEN: KNOWN.variable, PLANTED_DSN: KNOWN.passed },
  };
  const run = (...args) => {
    const result = spawnSync(process.execPath, [CLI, ...args], {
      cwd,
      env,
      encoding: 'utf8',
      maxBuffer: 1e9,
    });
    if (result.status === null || result.status === 2) throw new Error(`${result.stdout}\n${result.stderr}`);
    return { name: `the screen of ${args[0]}`, text: result.stdout + result.stderr };
  };
  const own = [
    '--scenarios',
    join(ROOT, 'scripts/secrets/scenario.mjs'),
    '--ralph',
    join(ROOT, 'scripts/secrets/ralph.mjs'),
  ];
  const first = run(
    'claude',
    '--mock',
    ...own,
    '--env',
    'PLANTED_DSN',
    '--timeout',
    '500',
    '--verbose',
    '--follow',
    '--report',
    FORMATS,
  );
  const shown = FORMATS.split(',').map((format) => run('show', '--format', format));
  return [first, ...shown, ...readAll(join(cwd, '.e2e-tests'), 'planted-claude')];
}

/** Reads everything in the output folder except the workspace, which belongs to the agent. */
function readAll(output, workspace) {
  return readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(output, path).startsWith(`${workspace}/`))
    .map((path) => ({ name: relative(output, path), text: `${path}\n${readFileSync(path, 'utf8')}` }));
}

/** A text as reports write it. */
function spellings(text) {
  const json = JSON.stringify(text).slice(1, -1);
  const html = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [...new Set([text, json, JSON.stringify(json).slice(1, -1), html, html.replaceAll("'", '&#39;')])];
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

/** Runs the whole catalog, which has no credentials, and lists what was removed from it all the same. */
function countMistakes(cwd) {
  mkdirSync(cwd, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1' };
  spawnSync(process.execPath, [CLI, '--mock', '--ralph', 'embedded', '--quiet'], {
    cwd,
    env,
    maxBuffer: 1e9,
  });
  const files = readAll(join(cwd, '.e2e-tests/runs'), ' ');
  const found = files.flatMap(({ name, text }) =>
    [...text.matchAll(/.{0,60}\[redacted\]/g)].map(([context]) => `${name}: ${context}`),
  );
  const transcripts = files.filter(({ name }) => name.endsWith('/stdout.txt')).length;
  console.log(`\nremoved by mistake from the ${transcripts} transcripts of the catalog: ${found.length}`);
  for (const line of found.slice(0, 100)) console.log(`  ${line}`);
}
