// Tries to get out of the sandboxes: an agent runs every attempt of tests/isolation/escapes, and bait outside shows which
// ones got through. Nothing real is at stake: credentials, sockets and processes are dummies that this script makes, and
// an attempt that succeeds leaves nothing but a mark.
//
//   npm run escapes                                  every kind of isolation that works here
//   npm run escapes -- --isolation bwrap --only 'git/*'
//   npm run escapes -- --isolation host              the control: without isolation, attempts get out
import picomatch from 'picomatch';
import { readCorpus } from './escapes/corpus.mjs';
import { provideEngine } from './escapes/engine.mjs';
import { tryToEscape } from './escapes/try.mjs';
import { parseOptions } from './parse-options.mjs';

/** @type {Readonly<Record<string, { isolation: string, container: string | null }>>} */
const KINDS = {
  host: { isolation: 'host', container: null },
  bwrap: { isolation: 'bwrap', container: null },
  docker: { isolation: 'docker', container: 'per-test' },
  'docker-per-suite': { isolation: 'docker', container: 'per-suite' },
};

const { values } = parseOptions(import.meta.url, {
  options: {
    only: { type: 'string', multiple: true },
    isolation: { type: 'string', multiple: true },
    verbose: { type: 'boolean', short: 'v', default: false },
  },
});
const kinds = values.isolation ?? ['bwrap', 'docker', 'docker-per-suite'];
const unknown = kinds.find((kind) => !Object.hasOwn(KINDS, kind));
const matches = picomatch(values.only ?? '**', { dot: true });
const corpus = readCorpus().filter(({ id }) => matches(id));
if (unknown !== undefined || corpus.length === 0) {
  console.error(
    unknown === undefined
      ? `--only ${values.only?.join(' ')}: expected the ids of attempts, such as git/fsmonitor or 'sockets/*'; found none.`
      : `--isolation ${unknown}: expected ${Object.keys(KINDS).join(', ')}.`,
  );
  process.exit(2);
}

const engine = kinds.some((kind) => kind.startsWith('docker')) ? await provideEngine() : {};
const total = { tried: 0, out: 0, untried: 0 };
try {
  for (const kind of kinds) await tryKind(kind);
} finally {
  if ('stop' in engine) await engine.stop();
}
const untried = total.untried === 0 ? '' : `, ${total.untried} not tried`;
console.log(`\n${total.tried} tried, ${total.out} out${untried}`);
process.exitCode = total.out > 0 || total.untried > 0 || total.tried === 0 ? 1 : 0;

/** @param {string} kind */
async function tryKind(kind) {
  const { isolation = '', container = null } = KINDS[kind] ?? {};
  const attempts = corpus.filter(
    ({ host, docker, shared }) =>
      (host || kind !== 'host') &&
      (docker || isolation !== 'docker') &&
      !(shared && container === 'per-suite'),
  );
  const result =
    isolation === 'docker' && 'missing' in engine
      ? engine
      : await tryToEscape(attempts, { isolation, container, dockerHost: engine.host });
  if ('missing' in result) {
    console.log(`\n${kind}: not tried: ${result.missing}`);
    if (values.isolation !== undefined) total.untried += attempts.length;
    return;
  }
  printTable(kind, result.verdicts);
  total.tried += result.verdicts.filter((verdict) => verdict.tried).length;
  total.untried += result.verdicts.filter((verdict) => !verdict.tried).length;
  total.out += result.verdicts.filter(({ out }) => out !== null).length;
}

/**
 * @param {string} kind
 * @param {import('./escapes/try.mjs').Verdict[]} verdicts
 */
function printTable(kind, verdicts) {
  console.log(`\n${kind}`);
  for (const family of new Set(verdicts.map(({ id }) => id.split('/')[0] ?? ''))) {
    const own = verdicts.filter(({ id }) => id.startsWith(`${family}/`));
    const gone = own.filter(({ out }) => out !== null);
    const figures = [own.filter(({ tried }) => tried).length, gone.length].map((n) => String(n).padStart(4));
    console.log(`  ${family.padEnd(12)} ${figures[0]} tried ${figures[1]} out`);
    for (const { id, out } of gone) console.log(`    OUT ${id}: ${out}`);
    for (const { id } of own.filter(({ tried }) => !tried)) console.log(`    NOT TRIED ${id}`);
    if (values.verbose)
      for (const { id } of own.filter(({ out }) => out === null)) console.log(`    in ${id}`);
  }
}
