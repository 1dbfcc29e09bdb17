import { awaitedEvent, handedOn, topicsOf } from '../../../domain/diagnosis/check-facts.js';
import {
  brokenOf,
  confirmedEmits,
  emittedTopics,
  PENDING_KINDS,
  quoteCheck,
  wasReached,
} from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import { ROW_FIELDS } from '../evidence/event-row.js';
import { blockedLines, wasEmittedAs } from './event-clues.js';

const malformed: DiagnosisRule = {
  name: 'events-malformed',
  type: 'EventMalformed',
  blames: 'agent',
  investigations: [
    'Who wrote the line: an agent by hand, or ralph emit?',
    `A record needs the strings ${ROW_FIELDS}.`,
  ],
  fixes: [fix('Have the agent use ralph emit instead of writing to the events file', 0.6)],
  find: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'EventEmitted', 'EventPayload');
    if (!evidence || evidence.malformedLines.length === 0 || red.length === 0) return null;
    const byCommand = confirmedEmits(evidence);
    return {
      blames: byCommand.length > 0 ? 'target' : 'agent',
      hypothesis:
        byCommand.length > 0
          ? 'The target confirmed an event and wrote it in a form that cannot be read, so that it does not count.'
          : 'An event was written by hand in a form that cannot be read, so that it does not count.',
      evidence: [
        ...evidence.malformedLines.slice(0, 4).map(({ file, line, text }) => `${file}:${line}: ${text}`),
        ...red.slice(0, 3).map(quoteCheck),
      ],
    };
  },
};

const lost: DiagnosisRule = {
  name: 'event-confirmed-and-lost',
  type: 'EventMissing',
  blames: 'target',
  hypothesis:
    'The target lost an event: the agent called ralph emit, the target confirmed it, and the events file does not have it. The agent did its part.',
  investigations: [
    'Which file did ralph emit write to? .ralph/current-events names the one that counts.',
    'Was the agent in another folder, or in a worktree, when it called ralph emit?',
  ],
  find: ({ evidence, broken, run }) => {
    if (!evidence || broken.length === 0) return null;
    const topics = emittedTopics(evidence);
    const gone = confirmedEmits(evidence).filter(({ topic }) => !topics.includes(topic));
    if (gone.length === 0) return null;
    return {
      areas: ['emit'],
      evidence: [
        ...gone
          .slice(0, 4)
          .map(({ iteration, topic }) => `iteration ${iteration}: ralph emit ${topic} was confirmed`),
        `topics in the events file that agents emitted: ${topics.length === 0 ? 'none' : topics.slice(0, 20).join(', ')}`,
        ...broken.slice(0, 3).map(quoteCheck),
      ],
      fixes: [
        fix(
          'Correct how ralph emit writes events',
          0.7,
          run.target.kind === 'real' ? 'crates/ralph-cli/src/main.rs' : null,
        ),
      ],
    };
  },
};

const notHandedOn: DiagnosisRule = {
  name: 'event-not-handed-on',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis:
    'The event is in the events file as it should be, and the prompt of the iteration that it was meant for does not have it: the target did not hand it on.',
  investigations: [
    'Which hat has a trigger that matches the topic, and which hat was active instead?',
    'Read the section PENDING EVENTS of the prompts in the context.',
  ],
  find: ({ evidence, broken, run }) => {
    if (!evidence) return null;
    const red = broken.filter((check) => {
      const awaited = awaitedEvent(check);
      return awaited !== null && wasReached(check, evidence) && wasEmittedAs(awaited, evidence);
    });
    // An event that a gate turned down is not handed on with good reason.
    if (red.length === 0 || blockedLines(evidence).length > 0) return null;
    return {
      areas: ['routing'],
      evidence: red.slice(0, 4).map(quoteCheck),
      fixes: [
        fix(
          'Correct how pending events come into the prompt',
          0.6,
          run.target.kind === 'real' ? 'crates/ralph-core/src/hatless_ralph.rs' : null,
        ),
      ],
    };
  },
};

const gateOpen: DiagnosisRule = {
  name: 'gate-did-not-hold',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis: 'The target accepted an event that it should have turned down: its payload lacks the evidence.',
  investigations: ['Compare the payload in the events file with what the gate asks for.'],
  fixes: [fix('Correct the gate', 0.6)],
  find: ({ evidence, broken }) => {
    if (!evidence || blockedLines(evidence).length > 0) return null;
    const red = broken.filter(
      (check) =>
        PENDING_KINDS.has(check.kind) &&
        wasReached(check, evidence) &&
        topicsOf(check).some(isTurnedDown) &&
        !handedOn(check, evidence).some(isTurnedDown),
    );
    const claim = evidence.events.find(({ source }) => source === 'agent');
    const proved = /tests: pass/.test(claim?.payload ?? '');
    if (red.length === 0 || emittedTopics(evidence).length === 0 || proved) return null;
    return { areas: ['gates'], evidence: red.slice(0, 4).map(quoteCheck) };
  },
};

/** Whether this is what ralph makes of an event that a gate turns down. */
function isTurnedDown(topic: string): boolean {
  return /\.(?:blocked|failed|rejected)\b/.test(topic);
}

/** The target did not keep, or not hand on, what was published: everything after it follows from that. */
export const lostEventRules: readonly DiagnosisRule[] = [malformed, lost, gateOpen, notHandedOn];
