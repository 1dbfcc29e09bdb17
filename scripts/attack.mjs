// Tries every known way to turn red into green. Exits with 1 if one succeeds, or if a control is not green.
// usage: node scripts/attack.mjs [--only <glob>] [--list] [-j <n>] [-v]
import picomatch from 'picomatch';
import { corpus } from '../tests/attack/corpus.mjs';
import { means, tryAttack } from '../tests/attack/try-attack.mjs';
import { parseOptions } from './parse-options.mjs';

const { values } = parseOptions(import.meta.url, {
  options: {
    only: { type: 'string', multiple: true },
    list: { type: 'boolean' },
    verbose: { type: 'boolean', short: 'v' },
    jobs: { type: 'string', short: 'j', default: '2' },
  },
});
const isChosen = values.only === undefined ? () => true : picomatch(values.only);
const chosen = corpus.filter(({ id }) => isChosen(id));
if (chosen.length === 0) {
  console.error(
    `--only ${values.only}: expected a pattern that matches an attack, found no match. See --list.`,
  );
  process.exit(2);
}
if (values.list) {
  const lines = chosen.map(({ id, controls, way }) => `${id.padEnd(40)} ${controls}: ${way}\n`);
  // An exit does not wait for what a slow reader has not taken yet.
  await new Promise((resolve) => process.stdout.write(lines.join(''), resolve));
  process.exit(0);
}

const lacks = ({ needs }) => needs !== undefined && !means[needs];
const tried = chosen.filter((attack) => !lacks(attack));
const results = [];
// Without a green control, attacks fail for another reason than they should.
const queue = tried.toSorted((a, b) => Number(b.control ?? false) - Number(a.control ?? false));
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
printTable();

async function work() {
  for (let attack = queue.shift(); attack !== undefined; attack = queue.shift()) {
    const result = await tryAttack(attack);
    results.push({ attack, ...result });
    if (result.wrong.length === 0 && !values.verbose) continue;
    console.log(`${attack.id}: ${attack.way}: ${result.wrong.join('; ') || `exit code ${result.code}`}`);
    if (values.verbose) console.log(result.output.replace(/^/gm, '    ').slice(-3000));
  }
}

function printTable() {
  const attacks = results.filter(({ attack }) => !attack.control);
  const isGreen = ({ wrong }) => wrong.some((word) => word.startsWith('it is green'));
  const count = (list, test) => String(list.filter(test).length).padStart(7);
  console.log(`\n${'family'.padEnd(14)}  tried  green  wrong`);
  for (const family of new Set(attacks.map(({ attack }) => attack.family))) {
    const own = attacks.filter(({ attack }) => attack.family === family);
    console.log(
      `${family.padEnd(14)}${count(own, () => true)}${count(own, isGreen)}${count(own, (one) => one.wrong.length > 0 && !isGreen(one))}`,
    );
  }
  const controls = results.filter(({ attack }) => attack.control);
  const untried = chosen.filter(lacks);
  const wrong = results.filter((result) => result.wrong.length > 0);
  if (untried.length > 0)
    console.log(
      `not tried, because they need bubblewrap, or a process table and mounts of their own (unshare, as root): ${untried.length}`,
    );
  console.log(
    `controls: ${controls.filter((one) => one.wrong.length === 0).length} of ${controls.length} green`,
  );
  console.log(`${attacks.length} tried, ${attacks.filter(isGreen).length} green`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
