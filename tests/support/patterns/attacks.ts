import type { Node } from './parse-pattern.js';

/** Letters that patterns distinguish. */
const LETTERS = [...'a0 \n\t-_.,:;/\\"\'`<>()[]{}|=+*#$%&@!?^~AZez1', 'é', '—', '…', '\u001b', '\r', '='];

/** A text for each size. */
export type Attack = (size: number) => string;

/** Derives texts that are as hard as possible for a pattern: long runs, repeated beginnings, near misses. */
export function listAttacks(tree: Node): Attack[] {
  const attacks: Attack[] = [];
  const samples = new Set<string>();
  const pumps = new Set<string>();
  collect(tree, '', (prefix, body) => {
    samples.add(prefix);
    for (const pump of pumpsOf(body)) {
      pumps.add(pump);
      for (const end of ['', '\n\u0001']) attacks.push((size) => prefix + repeat(pump, size) + end);
      attacks.push((size) => repeat(prefix + pump, size));
      attacks.push((size) => repeat(`${prefix}${pump.repeat(12)}`, size));
      attacks.push((size) => repeat(`\n${prefix}${pump}`, size));
      attacks.push((size) => repeat(prefix, size / 2) + repeat(pump, size / 2));
    }
  });
  const few = [...pumps].slice(0, 6);
  for (const pump of few)
    for (const other of few)
      if (pump !== other) attacks.push((size) => repeat(pump, size / 2) + repeat(other, size / 2));
  const whole = sample(tree);
  for (const text of [...samples, whole, whole.slice(0, -1)]) {
    attacks.push((size) => repeat(text, size));
    attacks.push((size) => repeat(`${text}\n`, size));
  }
  return attacks;
}

function repeat(text: string, size: number): string {
  return text === '' ? '' : text.repeat(Math.ceil(size / text.length)).slice(0, size);
}

/** Calls `found` for each repetition without a narrow limit, with a text that leads to it. */
function collect(node: Node, prefix: string, found: (prefix: string, body: Node) => void): void {
  switch (node.type) {
    case 'sequence': {
      let before = prefix;
      for (const item of node.items) {
        collect(item, before, found);
        before += sample(item);
      }
      return;
    }
    case 'choice':
      for (const option of node.options) collect(option, prefix, found);
      return;
    case 'group':
    case 'look':
      collect(node.body, prefix, found);
      return;
    case 'repeat':
      if (node.max > 16) found(prefix, node.body);
      collect(node.body, prefix, found);
      return;
    default:
  }
}

/** Returns texts that match the body of a repetition. */
function pumpsOf(body: Node): string[] {
  if (body.type !== 'character') return [sample(body)].filter((text) => text !== '');
  return LETTERS.filter(body.accepts).slice(0, 5);
}

/** Returns a short text that the node matches. */
function sample(node: Node): string {
  switch (node.type) {
    case 'character':
      return ALL.find(node.accepts) ?? '';
    case 'sequence':
      return node.items.map(sample).join('');
    case 'choice':
      return node.options[0] === undefined ? '' : sample(node.options[0]);
    case 'group':
      return sample(node.body);
    case 'repeat':
      return sample(node.body).repeat(Math.min(Math.max(node.min, 1), 40, node.max));
    case 'look':
    case 'place':
    case 'back':
      return '';
    default:
      return node satisfies never;
  }
}

const ALL = [...LETTERS, ...Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code))];
