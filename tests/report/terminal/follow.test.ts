import { Chalk } from 'chalk';
import { expect, it } from 'vitest';
import { createFollower } from '../../../src/report/terminal/follow.js';

function follow(columns = 80) {
  const lines: string[] = [];
  const follower = createFollower({
    chalk: new Chalk({ level: 0 }),
    columns: () => columns,
    write: (more) => lines.push(...more),
  });
  return { ...follower, lines };
}

const A = { scenarioId: 'a', backend: 'claude' } as const;
const B = { scenarioId: 'b', backend: 'kiro' } as const;

it('names the test of each line, and puts together what arrives in pieces', () => {
  const { onOutput, end, lines } = follow();
  const euro = Buffer.from('costs 5 €\n');
  onOutput(A, euro.subarray(0, 9));
  onOutput(B, Buffer.from('first\nsec'));
  onOutput(A, euro.subarray(9));
  onOutput(B, Buffer.from('ond'));
  end(B);
  expect(lines).toEqual(['b [kiro] │ first', 'a [claude] │ costs 5 €', 'b [kiro] │ second']);
});

it('breaks long lines where the screen ends, and shows at most three of them', () => {
  const { onOutput, lines } = follow(60);
  onOutput(A, Buffer.from(`${'word '.repeat(200)}\n`));
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  expect(lines[2]).toMatch(/^a \[claude\] │ .*…$/);
});

it('stops to show a flood, and goes on with the next attempt', () => {
  const { onOutput, end, lines } = follow();
  onOutput(A, Buffer.from('flood\n'.repeat(5_000)));
  expect(lines).toHaveLength(1_000);
  expect(lines.at(-1)).toBe('a [claude] │ … the rest is not shown');
  end(A);
  onOutput(A, Buffer.from('again\n'));
  expect(lines.at(-1)).toBe('a [claude] │ again');
});
