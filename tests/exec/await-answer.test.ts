import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { awaitAnswer } from '../../src/exec/await-answer.js';

test('the limit holds while memory is collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const collecting = setInterval(collect, 20);
  onTestFinished(() => clearInterval(collecting));
  const { signal } = new AbortController();
  // Nobody listens on port 1.
  await expect(awaitAnswer('http://127.0.0.1:1/', { limitMs: 300, signal })).resolves.toBe(false);
}, 30_000);
