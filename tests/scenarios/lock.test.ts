import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { completed, loop, onAnyPrompt, scenario } from '../../src/authoring.js';
import { describeChanges, hashArranged, renderLock } from '../support/scenario-lock.js';

const LOCK_FILE = fileURLToPath(new URL('../../scenarios/scenarios.lock', import.meta.url));

it('every scenario arranges what scenarios.lock says (npm run docs renews it, and prints the words)', async () => {
  const [locked, now] = [readFileSync(LOCK_FILE, 'utf8'), renderLock(catalogue)];
  if (locked === now) return;
  const changes = await describeChanges(locked, now);
  if (process.env.UPDATE_DOCS !== '1') return expect.fail(`scenarios.lock is out of date:\n${changes}`);
  writeFileSync(LOCK_FILE, now);
  process.stdout.write(`scenarios.lock is renewed. Read what changed:\n${changes}\n`);
});

describe('the hash of a scenario', () => {
  const one = (prompt: string, files: Record<string, string> = {}, lane = 'none') =>
    hashArranged(
      scenario({
        id: 'one',
        tier: 4,
        priority: 'should',
        phase: 'green',
        description: 'An example',
        covers: [],
        arrange: (context) => ({
          config: loop({ maxIterations: 2 }),
          prompt: context.lane === lane ? `${prompt}!` : prompt,
          files,
        }),
        expect: () => [completed()],
        agent: [onAnyPrompt().completes()],
      }),
    );

  it.each([
    ['a word of the prompt', one('Write it')],
    ['a file', one('Write.', { 'a.txt': 'a' })],
    ['the prompt of one lane', one('Write.', {}, 'live')],
  ])('changes with %s', (_what, changed) => {
    expect(changed).not.toBe(one('Write.'));
  });

  it('stays the same in another folder', () => {
    const at = (root: string) =>
      hashArranged({ ...first(), arrange: () => ({ config: {}, prompt: `Read ${root}/a` }) }, root);
    expect(at('/one')).toBe(at('/two'));
  });
});

describe('what changed', () => {
  it('names new and removed scenarios', async () => {
    expect(await describeChanges('gone 1234\nsame 1\n', 'same 1\nadded 5678\n')).toBe(
      'gone: removed\nadded: new',
    );
  });
});

function first() {
  const [found] = catalogue.filter((one) => one.kind === 'ralph');
  if (found?.kind !== 'ralph') throw new Error('expected a scenario of Ralph in the catalogue, found none');
  return found;
}
