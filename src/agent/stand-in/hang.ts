/** Never resolves; rejects when the signal aborts. */
export function hang(signal?: AbortSignal): Promise<never> {
  return new Promise((_, fail) => {
    const alive = setInterval(() => {}, 2 ** 30);
    signal?.addEventListener('abort', () => {
      clearInterval(alive);
      fail(signal.reason);
    });
  });
}
