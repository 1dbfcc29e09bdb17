import { expect, test } from 'vitest';
import { backendsFor, isLikely } from '../../../scripts/mutants/areas.mjs';
import { type Candidate, drawOrder, idOf, sample } from '../../../scripts/mutants/draw.mjs';
import { areaOf } from '../../../scripts/mutants/modules.mjs';

const FILE = 'ralph-core/src/memory_store.rs';

function candidate(name: string, nth = 1, file = FILE, start = nth * 10): Omit<Candidate, 'id'> {
  return { file, function: name, kind: 'not', nth, line: 1, what: '', start, end: start + 1, edits: [] };
}

const MANY = Array.from({ length: 40 }, (_, index) => candidate(`Store::f${index}`, 1, FILE, index * 10));
const ids = (candidates: readonly { id: string }[]) => candidates.map(({ id }) => id);

test('the same seed draws the same, another seed something else', () => {
  const first = ids(drawOrder(MANY, 1));
  expect(ids(drawOrder(MANY, 1))).toEqual(first);
  expect(ids(drawOrder(MANY, 2))).not.toEqual(first);
  expect(first).toHaveLength(40);
});

test('the draw does not depend on the order of the candidates, nor on those that come and go', () => {
  const first = ids(drawOrder(MANY, 1));
  expect(ids(drawOrder([...MANY].reverse(), 1))).toEqual(first);
  const gone = first[3];
  const others = MANY.filter((one) => idOf(one) !== gone);
  expect(ids(drawOrder(others, 1))).toEqual(first.filter((id) => id !== gone));
});

test('at most two changes of a function and one at a place are drawn', () => {
  const four = [1, 2, 3, 4].map((nth) => candidate('f', nth));
  expect(drawOrder(four, 1)).toHaveLength(2);
  const same = [candidate('g'), { ...candidate('g'), kind: 'compare' }];
  expect(drawOrder(same, 1)).toHaveLength(1);
});

test('what no promise depends on is left out', () => {
  const some = [
    candidate('run', 1, 'ralph-cli/src/web.rs'),
    candidate('tutorial_command', 1, 'ralph-cli/src/main.rs'),
    {
      ...candidate('from_config', 1, 'ralph-adapters/src/cli_backend.rs'),
      what: 'the arm `"amp"` is deleted',
    },
    candidate('emit_command', 1, 'ralph-cli/src/main.rs'),
  ];
  expect(drawOrder(some, 1)).toMatchObject([{ id: 'cli.main.emit_command.not-1', area: 'emit' }]);
});

test('an id names the crate, the module and the function', () => {
  expect(
    idOf({ file: 'ralph-core/src/event_loop/mod.rs', function: 'EventLoop::next_hat', kind: 'arm', nth: 2 }),
  ).toBe('core.event_loop.EventLoop.next_hat.arm-2');
});

test('a sample depends on the seed alone', () => {
  const all = MANY.map((one) => ({ id: idOf(one) }));
  const some = sample(all, 5, 9);
  expect(some).toHaveLength(5);
  expect(sample([...all].reverse(), 5, 9)).toEqual(some);
  expect(sample(all, 5, 10)).not.toEqual(some);
});

test('functions of one file can belong to different areas', () => {
  const file = 'ralph-core/src/event_loop/mod.rs';
  expect(areaOf(file, 'EventLoop::check_termination')).toBe('limits');
  expect(areaOf(file, 'EventLoop::next_hat')).toBe('routing');
  expect(areaOf(file, 'EventLoop::stop_robot_service')).toBeNull();
});

test('only mutants of what calls agents run on every backend', () => {
  expect(backendsFor({ area: 'memories', file: FILE })).toEqual(['claude']);
  expect(backendsFor({ area: 'hats', file: FILE })).toEqual(['claude', 'kiro', 'opencode']);
  expect(backendsFor({ area: 'limits', file: 'ralph-adapters/src/cli_executor.rs' })).toHaveLength(3);
});

test('the scenarios of an area come first', () => {
  expect(isLikely('memories', 'memory-search')).toBe(true);
  expect(isLikely('memories', 'hooks-run')).toBe(false);
  expect(isLikely('an-area-of-tomorrow', 'hooks-run')).toBe(false);
});
