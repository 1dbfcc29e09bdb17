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
