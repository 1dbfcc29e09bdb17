// What the planted agent runs: it leaks into everything that an agent can write. With two numbers it prints these plants.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { labelOf, PLANTS, plantFor, textFor } from './places.mjs';

const [from, to] = process.argv.slice(2).map(Number);
if (from === undefined) leak();
else
  for (const index of PLANTS.keys())
    if (index >= from && index < (to ?? 0)) process.stdout.write(plantFor('tool', index));

function leak() {
  mkdirSync('.ralph/agent', { recursive: true });
  writeFileSync('leaks.txt', textFor('file'));
  writeFileSync('.ralph/agent/scratchpad.md', textFor('notes'));
  for (const [index, { text }] of PLANTS.entries()) {
    const name = `${labelOf('name', index)} ${text}`;
    if (!/[/\n\\]/.test(name) && Buffer.byteLength(name) < 250) writeFileSync(name, '');
  }
  // `ralph emit` cuts a long payload, so each has an event of its own.
  const events = readFileSync('.ralph/current-events', 'utf8').trim();
  for (const index of PLANTS.keys()) {
    const event = { topic: 'leak.note', ts: new Date().toISOString(), payload: plantFor('event', index) };
    appendFileSync(events, `${JSON.stringify(event)}\n`);
  }
}
