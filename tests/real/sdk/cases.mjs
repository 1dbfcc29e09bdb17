// Runs named calls one after the other and prints one JSON line for each.
import assert from 'node:assert/strict';

export const URL = process.argv[2];
const cases = [];

/** Adds a call; with values, one for each. */
export function call(name, run, values = [undefined]) {
  for (const value of values) {
    cases.push({ name: value === undefined ? name : `${name} ${value}`, run: () => run(value) });
  }
}

export const same = assert.deepEqual;

export async function rejects(promise, fits = () => true) {
  let answer;
  try {
    answer = await promise;
  } catch (error) {
    assert.ok(fits(error), `unexpected ${error}`);
    return;
  }
  assert.fail(`expected an error, received ${JSON.stringify(answer)}`);
}

export async function main() {
  for (const { name, run } of cases) {
    try {
      await run();
      console.log(JSON.stringify({ name, ok: true }));
    } catch (error) {
      console.log(JSON.stringify({ name, ok: false, detail: String(error?.stack ?? error) }));
    }
  }
  process.exit(0);
}
