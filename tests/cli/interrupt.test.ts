import { expect, onTestFinished, test } from 'vitest';
import { listenForInterrupt } from '../../src/cli/interrupt.js';

test('any number of runs at the same time may listen, without a warning of Node', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  const interrupt = listenForInterrupt();
  onTestFinished(() => {
    interrupt.stop();
    process.off('warning', onWarning);
  });
  for (let run = 0; run < 20; run += 1) interrupt.signal.addEventListener('abort', () => {});
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

/** The listeners that one interrupt adds for a signal. */
function listen(name: 'SIGINT' | 'SIGTERM') {
  const before = process.listeners(name);
  const interrupt = listenForInterrupt();
  onTestFinished(() => interrupt.stop());
  const [added] = process.listeners(name).filter((listener) => !before.includes(listener));
  return { interrupt, send: () => added?.(name) };
}

test('says a word when it ends the run, and none for what can be skipped', async () => {
  const words: string[] = [];
  const before = process.listeners('SIGINT');
  const interrupt = listenForInterrupt({ onInterrupt: () => words.push('interrupted') });
  onTestFinished(() => interrupt.stop());
  const [added] = process.listeners('SIGINT').filter((listener) => !before.includes(listener));
  await interrupt.skippable(async () => {
    added?.('SIGINT');
    expect(words).toEqual([]);
    added?.('SIGINT');
  });
  expect(words).toEqual(['interrupted']);
});

test('listens to a closed stdout only if somebody says what happens then, and no longer than asked', () => {
  const count = () => process.stdout.listenerCount('error');
  const before = count();
  listenForInterrupt().stop();
  const interrupt = listenForInterrupt({ onClosed: () => {} });
  expect(count()).toBe(before + 1);
  interrupt.stop();
  expect(count()).toBe(before);
});

test('Ctrl-C skips what can be skipped, and the next one ends the run', async () => {
  const { interrupt, send } = listen('SIGINT');
  const seen = await interrupt.skippable(async (signal) => {
    send();
    const first = [signal.aborted, interrupt.signal.aborted];
    send();
    return [first, interrupt.signal.aborted];
  });
  expect(seen).toEqual([[true, false], true]);
});

test('after what can be skipped, Ctrl-C ends the run again', async () => {
  const { interrupt, send } = listen('SIGINT');
  await interrupt.skippable(async () => {});
  send();
  expect(interrupt.signal.aborted).toBe(true);
});

test('a signal to end means the whole run', async () => {
  const { interrupt, send } = listen('SIGTERM');
  await interrupt.skippable(async (signal) => {
    send();
    expect([signal.aborted, interrupt.signal.aborted]).toEqual([true, true]);
  });
});
