import { describe, expect, test } from 'vitest';
import * as authoring from '../src/authoring.js';
import { checkedLibrary } from '../src/checked-library.js';
import { isKnownError } from '../src/domain/common/known-error.js';

const WRONG = [undefined, null, 2, {}, 'x'];
/** Nothing at all, and one to three arguments that are alike. */
const CALLS = [[], ...[1, 2, 3].flatMap((length) => WRONG.map((value) => Array(length).fill(value)))];

/** Calls a function, and returns what it returns, or the message of a known error. Any other error is a bug. */
function outcomeOf(call: unknown, self: unknown, args: readonly unknown[]): { returned: unknown } | string {
  if (typeof call !== 'function') throw new Error('expected a function');
  try {
    return { returned: Reflect.apply(call, self, [...args]) };
  } catch (error) {
    if (isKnownError(error)) return error.message;
    throw error;
  }
}

/** What a refusal lacks: the caller's line, the function, the field, what was expected, what was found. */
const REFUSAL = (name: string) =>
  new RegExp(
    `^tests/checked-library\\.test\\.ts:\\d+: (?:${name}|scenario "\\w*"|a scenario without an id): (?:\\w+[^:]*: )?(?:expected .+, found .+|unknown (?:value|key) .+(?:expected .+|did you mean .+)).*[.?]$`,
    's',
  );

const isFunction = ([, value]: readonly [string, unknown]) => typeof value === 'function';
const functions = Object.entries(authoring)
  .filter(isFunction)
  .map(([name]) => name);

describe('wrong arguments', () => {
  test.each(functions)(
    '%s accepts them, or tells function, field, expected, found and line',
    async (name) => {
      for (const args of CALLS) {
        const told = outcomeOf(checkedLibrary[name], undefined, args);
        if (typeof told === 'string') expect(told).toMatch(REFUSAL(name));
        else if (told.returned instanceof Promise) await told.returned.catch(() => {});
        else expect(sentenceOf(told.returned)).not.toMatch(/undefined|\[object/);
      }
    },
  );

  const rule = outcomeOf(checkedLibrary.onPrompt, undefined, ['go']);
  const builder: object = typeof rule === 'object' ? Object(rule.returned) : {};
  const verbs = Object.getOwnPropertyNames(Object.getPrototypeOf(builder)).filter(
    (verb) => verb !== 'constructor',
  );
  test.each(verbs)('the rule says so too: %s', (verb) => {
    for (const args of CALLS.filter(([first]) => typeof first !== 'function')) {
      const told = outcomeOf(Reflect.get(builder, verb), builder, args);
      if (typeof told === 'string') expect(told).toMatch(REFUSAL(verb));
    }
  });

  test('there are functions and verbs to try', () => {
    expect(functions.length).toBeGreaterThan(100);
    expect(verbs.length).toBeGreaterThan(15);
  });
});

/** The sentence of a check; nothing for other things. */
function sentenceOf(value: unknown): string {
  return String(Object(value).name ?? '');
}

const messageOf = (name: string, ...args: readonly unknown[]) => {
  const told = outcomeOf(checkedLibrary[name], undefined, args);
  return typeof told === 'string' ? told.replace(/^\S+ /, '') : told;
};

test('the message names the parameter, and suggests the nearest name', () => {
  expect(messageOf('hookBlocked', 2, 'PreToolUse')).toBe(
    'hookBlocked: reason: expected a text or a pattern, found undefined.',
  );
  expect(messageOf('promptContained', 'a', { itration: 1 })).toBe(
    'promptContained: where: unknown key "itration": did you mean "iteration"?',
  );
  expect(messageOf('turnUses', 1, 'Read', 7)).toBe('turnUses: tools[1]: expected a text, found 7.');
  expect(messageOf('taskIs', 'a', 'opened')).toContain(
    'status: unknown value "opened": did you mean "open"?',
  );
  expect(messageOf('loop', { maxIteration: 3 })).toContain('did you mean "maxIterations"?');
});

const BASE = {
  ...{ id: 'mine', tier: 2, priority: 'must', phase: 'green', description: '', covers: [], agent: [] },
  ...{ arrange: () => ({}), expect: () => ({}) },
};

test.each([
  [{ tier: 12 }, 'scenario "mine": tier: expected a tier from 1 to 9, found 12.'],
  [{ arange: BASE.arrange }, 'scenario "mine": unknown key "arange": did you mean "arrange"?'],
  [{ expect: undefined }, 'scenario "mine": expect: expected a function, found undefined.'],
  [{ agent: [undefined] }, 'scenario "mine": agent[0]: expected an object, found undefined.'],
  [
    { backends: ['cloude'] },
    /^scenario "mine": backends\[0\]: expected one of .+, found the string "cloude"\.$/,
  ],
])('a definition is told by its field: %o', (change, message) => {
  const told = messageOf('scenario', { ...BASE, ...change });
  if (typeof message === 'string') expect(told).toBe(message);
  else expect(told).toMatch(message);
});

test('a hat without a starting event is refused', () => {
  const hat = { triggers: [], publishes: [], instructions: 'Go.' };
  const made = outcomeOf(checkedLibrary.hats, undefined, [{ builder: hat }]);
  const hats = typeof made === 'string' ? {} : Object(made.returned);
  expect(outcomeOf(hats.startingWith, hats, [])).toContain(
    'startingWith: event: expected a text, found undefined.',
  );
});
