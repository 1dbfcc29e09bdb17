// Compares the diagnosis with the proof: every saboteur names the failure type that a diagnosis should find.
// usage: node scripts/check-diagnosis.mjs <prove.json> [--write docs/diagnosis.md]
// Exits with 1 if the proof has none to judge.
import { readFileSync, writeFileSync } from 'node:fs';

const MARKS = ['<!-- misses: begin -->', '<!-- misses: end -->'];

const [file, flag, page] = process.argv.slice(2);
if (file === undefined || (flag !== undefined && (flag !== '--write' || page === undefined))) {
  console.error('usage: node scripts/check-diagnosis.mjs <prove.json> [--write <page>]');
  process.exit(2);
}

const proof = JSON.parse(readFileSync(file, 'utf8'));
const judged = proof.scenarios.flatMap(({ id, saboteurs }) =>
  saboteurs
    .filter(({ origin, verdict, failure }) => origin === 'own' && verdict === 'noticed' && failure !== null)
    .map((saboteur) => ({ id, ...saboteur })),
);
const misses = judged.filter(({ failure, diagnosed }) => failure !== diagnosed);
const share = judged.length === 0 ? 0 : (judged.length - misses.length) / judged.length;
const summary = `${judged.length - misses.length} of ${judged.length} right (${(Math.floor(share * 1000) / 10).toFixed(1)} %)`;

console.log(`diagnosis: ${summary}`);
for (const { id, name, failure, diagnosed } of misses)
  console.log(`  ${id}: ${name}: ${failure}, diagnosed as ${diagnosed}`);
if (page !== undefined) writePage(page);
process.exitCode = judged.length === 0 ? 1 : 0;

function writePage(path) {
  const text = readFileSync(path, 'utf8');
  const [begin, end] = MARKS.map((mark) => text.indexOf(mark));
  if (begin === -1 || end < begin)
    throw new Error(`${path} has no place for the table: ${MARKS.join(' … ')}`);
  const rows = misses.map(
    ({ id, name, breaks, failure, diagnosed }) =>
      `| \`${id}\` | ${name} | ${breaks} | ${failure} | ${diagnosed} |`,
  );
  const table = [
    `${summary}, in the ${proof.lane} lane on ${proof.target.kind === 'real' ? 'ralph' : 'the stand-in'} ${proof.target.version}.`,
    '',
    '| Scenario | Saboteur | Breaks | Expected | Diagnosed |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  writeFileSync(path, `${text.slice(0, begin + MARKS[0].length)}\n${table}\n${text.slice(end)}`);
}
