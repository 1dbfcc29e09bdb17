import { describe, expect, it } from 'vitest';
import { agentSaid, pendingAfter, pendingEvents, promptContained } from '../../../src/authoring.js';
import type { Check } from '../../../src/domain/check.js';
import { awaitedEvent, goesOn, handedOn } from '../../../src/domain/diagnosis/check-facts.js';
import { attempt, broken, iteration } from '../../report/support/journal.js';

/** A check as an attempt with these pending events records it, and what was seen there. */
function recorded(check: Check, pending: readonly string[] = []) {
  const prompt = ['## PENDING EVENTS', ...pending.map((topic) => `Event: ${topic} - x`)].join('\n');
  const { checks, evidence } = attempt({
    checks: [broken(check)],
    evidence: { iterations: [iteration({ number: 2, prompt })] },
  });
  const [result] = checks;
  if (result === undefined || evidence === null) throw new Error('one check with evidence expected');
  return { result, evidence };
}

describe('the event that a prompt should announce', () => {
  it.each([
    ['with its payload', promptContained('Event: count.json - {"total":5}\n'), 'count.json', '{"total":5}'],
    ['without one', promptContained('Event: build.done'), 'build.done', ''],
    ['with an empty one', promptContained('Event: build.done - '), 'build.done', ''],
    ['over several lines', promptContained('Event: a.b - one\ntwo'), 'a.b', 'one\ntwo'],
  ])('is known %s', (_, check, topic, payload) => {
    expect(awaitedEvent(recorded(check).result)).toEqual({ topic, payload });
  });

  it.each([
    ['a text that is none', promptContained('an Event: a.b - c')],
    ['a pattern', promptContained(/^Event: a\.b - /m)],
    ['words of the agent', agentSaid('Event: a.b - c')],
  ])('is not seen in %s', (_, check) => {
    expect(awaitedEvent(recorded(check).result)).toBeNull();
  });
});

describe('what ralph handed on', () => {
  const after = pendingAfter('try.x', { topic: 'a.blocked', payload: '' });

  it.each([
    ['all that is pending', pendingEvents(['a.b'], { iteration: 2 }), ['a.b', 'c.d'], ['a.b', 'c.d']],
    ['all that is pending in any iteration', pendingEvents(['a.b']), ['a.b'], ['a.b']],
    ['what follows a marker', after, ['b.blocked', 'try.x', 'a.done', 'c.blocked'], ['a.done']],
    ['nothing, where nothing follows it', after, ['a.blocked', 'try.x'], []],
    ['all, where the marker did not come', after, ['a.done', 'c.d'], ['a.done', 'c.d']],
    ['nothing in an iteration that was not reached', pendingEvents(['a'], { iteration: 3 }), ['a'], []],
  ])('is %s', (_, check, pending, found) => {
    const { result, evidence } = recorded(check, pending);
    expect(handedOn(result, evidence)).toEqual(found);
  });
});

it('a list goes on where a shorter one ends, but not after an empty one', () => {
  expect(goesOn(['a', 'b'], ['a'])).toBe(true);
  expect(goesOn(['a', 'b'], ['a', 'b'])).toBe(true);
  expect(goesOn(['ab'], ['a'])).toBe(false);
  expect(goesOn(['a'], ['a', 'b'])).toBe(false);
  expect(goesOn(['a'], [])).toBe(false);
});
