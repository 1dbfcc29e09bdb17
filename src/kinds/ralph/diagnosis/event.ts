import type { CheckResult } from '../../../domain/check.js';
import { awaitedEvent, emissionOf } from '../../../domain/diagnosis/check-facts.js';
import {
  brokenOf,
  type Case,
  emittedTopics,
  PENDING_KINDS,
  quoteCheck,
  wasReached,
} from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { Evidence } from '../../../domain/evidence/evidence.js';
import { blockedLines, wasEmittedAs } from './event-clues.js';

const payloadWrong: DiagnosisRule = {
  name: 'event-payload-differs',
  type: 'EventMalformed',
  blames: 'agent',
  hypothesis: 'The event arrived, but with another payload than expected.',
  investigations: [
    'Compare with what the agent said: ralph cuts payloads of event tags at 500 characters.',
    'A payload given as JSON is written as an object, not as a string.',
  ],
  find: (failure) => {
    const { evidence } = failure;
    if (!evidence) return null;
    const red = failure.broken.filter((check) => hasOtherPayload(check, evidence));
    // A tool that did not run, or not so, comes before the event that tells its result.
    const untold = failure.broken.some(({ kind }) => kind === 'toolUsed');
    if (red.length === 0 || untold || misses(failure, evidence)) return null;
    return red.map(quoteCheck);
  },
};

/** The event that the check names is there, and none has the payload that it wants. */
function hasOtherPayload(check: CheckResult, evidence: Evidence): boolean {
  const awaited = awaitedEvent(check);
  const topics = emittedTopics(evidence);
  if (awaited !== null) return topics.includes(awaited.topic) && !wasEmittedAs(awaited, evidence);
  const topic = emissionOf(check);
  return check.category === 'EventPayload' && topic !== null && topics.includes(topic);
}

/** Whether another check waits for an event that never came: that is the greater trouble. */
function misses(failure: Case, evidence: Evidence): boolean {
  const topics = emittedTopics(evidence);
  return brokenOf(failure, 'EventEmitted', 'EventPayload').some((check) => {
    const topic = emissionOf(check);
    return topic !== null && !topics.includes(topic) && !followsOther(check, failure, evidence);
  });
}

/** An event that comes later than one with a wrong payload may be missing because of it. */
function followsOther(check: CheckResult, { attempt }: Case, evidence: Evidence): boolean {
  const before = attempt.checks.slice(0, attempt.checks.indexOf(check));
  return before.some((earlier) => !earlier.passed && hasOtherPayload(earlier, evidence));
}

const rejected: DiagnosisRule = {
  name: 'event-rejected-by-gate',
  type: 'EventMissing',
  blames: 'agent',
  hypothesis: 'The target did not accept an event because its payload lacked the evidence that is asked for.',
  investigations: ['Compare the payload of the event with the list in the rejection.'],
  fixes: [fix('Tell the agent all items of evidence that the gate asks for', 0.7, 'ralph.yml')],
  find: (failure) => {
    const { evidence } = failure;
    const red = [
      ...brokenOf(failure, 'EventEmitted', 'EventPayload'),
      ...failure.broken.filter((check) => PENDING_KINDS.has(check.kind) || awaitedEvent(check) !== null),
    ];
    if (!evidence || red.length === 0) return null;
    const blocked = blockedLines(evidence);
    if (blocked.length === 0) return null;
    return blocked.slice(0, 4);
  },
};

const publishedItself: DiagnosisRule = {
  name: 'agent-published-for-the-target',
  type: 'PromptIneffective',
  blames: 'agent',
  hypothesis: 'The agent published an event that the target was to publish in its place.',
  investigations: ['Does the prompt tell the agent to publish nothing in this case?'],
  fixes: [fix("Say which events are not the agent's to publish", 0.4, 'ralph.yml')],
  find: ({ evidence, broken }) => {
    if (!evidence) return null;
    const topics = emittedTopics(evidence);
    const red = broken.filter(
      ({ kind, about }) =>
        kind === 'publishedByRalph' && about?.topic !== undefined && topics.includes(about.topic),
    );
    if (red.length === 0 || red.length < broken.length) return null;
    return red.map(quoteCheck);
  },
};

const missing: DiagnosisRule = {
  name: 'event-missing',
  type: 'EventMissing',
  blames: 'agent',
  investigations: [
    'Does the prompt that the agent received tell it to emit this topic?',
    'Was the iteration the last one allowed? ralph ends at the limit before it reads the events of that iteration.',
  ],
  fixes: [
    fix('Name the topic and the command ralph emit in the instructions', 0.5, 'ralph.yml'),
    fix('Allow one more iteration', 0.3, 'ralph.yml', 'event_loop.max_iterations'),
  ],
  find: (failure) => {
    const { evidence } = failure;
    if (!evidence) return null;
    const topics = emittedTopics(evidence);
    const awaited = failure.broken.filter((check) => {
      const event = awaitedEvent(check);
      return event !== null && wasReached(check, evidence) && !topics.includes(event.topic);
    });
    const red = [...brokenOf(failure, 'EventEmitted', 'EventPayload'), ...awaited];
    if (red.length === 0 || failure.broken.some(({ kind }) => kind === 'toolUsed')) return null;
    const tagged = evidence.iterations.flatMap(({ number, said }) =>
      [...said.matchAll(/<event\s+topic=["']([^"']{1,80})["']/g)].map(
        ([, topic]) => `iteration ${number}: the agent printed an event tag for "${topic}"`,
      ),
    );
    return {
      hypothesis:
        tagged.length > 0
          ? 'The agent printed event tags, but an expected event is not in the events file: the target did not take it over, or its topic differs.'
          : 'The agent never emitted the expected event.',
      evidence: [
        ...red.slice(0, 4).map(quoteCheck),
        `topics that agents emitted: ${topics.length === 0 ? 'none' : topics.slice(0, 20).join(', ')}`,
        ...tagged.slice(0, 4),
      ],
    };
  },
};

/** Failures in which an event is the point. */
export const eventRules: readonly DiagnosisRule[] = [rejected, payloadWrong, publishedItself, missing];
