import { describe, expect, it } from 'vitest';
import { agentSaid, promptContained } from '../../../src/authoring.js';
import type { Check } from '../../../src/domain/check.js';
import { awaitedEvent } from '../../../src/domain/diagnosis/check-facts.js';
import { attempt, broken } from '../../report/support/journal.js';

/** A check as an attempt records it. */
function recorded(check: Check) {
  const [result] = attempt({ checks: [broken(check)] }).checks;
  if (result === undefined) throw new Error('one check expected');
  return result;
}

describe('the event that a prompt should announce', () => {
  it.each([
    ['with its payload', promptContained('Event: count.json - {"total":5}\n'), 'count.json', '{"total":5}'],
    ['without one', promptContained('Event: build.done'), 'build.done', ''],
    ['with an empty one', promptContained('Event: build.done - '), 'build.done', ''],
    ['over several lines', promptContained('Event: a.b - one\ntwo'), 'a.b', 'one\ntwo'],
  ])('is known %s', (_, check, topic, payload) => {
    expect(awaitedEvent(recorded(check))).toEqual({ topic, payload });
  });

  it.each([
    ['a text that is none', promptContained('an Event: a.b - c')],
    ['a pattern', promptContained(/^Event: a\.b - /m)],
    ['words of the agent', agentSaid('Event: a.b - c')],
  ])('is not seen in %s', (_, check) => {
    expect(awaitedEvent(recorded(check))).toBeNull();
  });
});
