import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
/** A server that accepts and does not answer is asked again. */
const ONE_REQUEST_MS = 5_000;

/** Waits until a server answers over HTTP, with whatever status. False if it did not in time, or after an abort. */
export async function awaitAnswer(
  url: string,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  // Not AbortSignal.timeout(): Node 20 forgets one that only AbortSignal.any() refers to.
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), limitMs);
  const limit = AbortSignal.any([signal, timer.signal]);
  try {
    while (!limit.aborted) {
      if (await answers(url, limit)) return true;
      await sleep(POLL_MS, null, { signal: limit }).catch(() => null);
    }
    return false;
  } finally {
    clearTimeout(timeout);
  }
}

function answers(url: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { signal, timeout: ONE_REQUEST_MS, agent: false }, (response) => {
      response.destroy();
      resolve(true);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(false));
  });
}
