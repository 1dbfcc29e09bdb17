import { brokenOf, emittedTopics, quoteCheck } from './clues.js';
import { type DiagnosisRule, fix } from './rule.js';

const malformed: DiagnosisRule = {
  name: 'events-malformed',
  type: 'EventMalformed',
  apply: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'EventEmitted', 'EventPayload');
    if (!evidence || evidence.malformedLines.length === 0 || red.length === 0) return null;
    return {
      hypothesis: 'An event was written in a form that cannot be read, so that it does not count.',
      evidence: [
        ...evidence.malformedLines.slice(0, 4).map(({ file, line, text }) => `${file}:${line}: ${text}`),
        ...red.slice(0, 3).map(quoteCheck),
      ],
      investigations: [
        'Who wrote the line: an agent by hand, or ralph emit?',
        'A record needs the strings topic and ts.',
      ],
      fixes: [fix('Have the agent use ralph emit instead of writing to the events file', 0.6)],
    };
  },
};

const payloadWrong: DiagnosisRule = {
  name: 'event-payload-differs',
  type: 'EventMalformed',
  apply: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'EventPayload');
    if (!evidence || red.length === 0 || brokenOf(failure, 'EventEmitted').length > 0) return null;
    // Such a check is red as well when the event never came at all.
    const topics = emittedTopics(evidence);
    if (!red.every(({ name }) => topics.some((topic) => name.includes(topic)))) return null;
    return {
      hypothesis: 'The event arrived, but with another payload than expected.',
      evidence: red.map(quoteCheck),
      investigations: [
        'Compare with what the agent said: ralph cuts payloads of event tags at 500 characters.',
        'A payload given as JSON is written as an object, not as a string.',
      ],
      fixes: [],
    };
  },
};

const rejected: DiagnosisRule = {
  name: 'event-rejected-by-gate',
  type: 'EventMissing',
  apply: (failure) => {
    const { evidence } = failure;
    if (!evidence || brokenOf(failure, 'EventEmitted', 'EventPayload', 'TerminationReason').length === 0)
      return null;
    const blocked = evidence.iterations.flatMap(({ number, prompt }) =>
      (prompt ?? '')
        .split('\n')
        .filter((line) =>
          /Missing backpressure evidence|Backpressure checks failed|Missing verification evidence/.test(line),
        )
        .map((line) => `prompt of iteration ${number}: ${line.trim()}`),
    );
    if (blocked.length === 0) return null;
    return {
      hypothesis:
        'The target did not accept an event because its payload lacked the evidence that is asked for.',
      evidence: blocked.slice(0, 4),
      investigations: ['Compare the payload of the event with the list in the rejection.'],
      fixes: [fix('Tell the agent all items of evidence that the gate asks for', 0.7, 'ralph.yml')],
    };
  },
};

const missing: DiagnosisRule = {
  name: 'event-missing',
  type: 'EventMissing',
  apply: (failure) => {
    const { evidence } = failure;
    const red = brokenOf(failure, 'EventEmitted', 'EventPayload');
    if (!evidence || red.length === 0) return null;
    const topics = emittedTopics(evidence);
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
      investigations: [
        'Does the prompt that the agent received tell it to emit this topic?',
        'Was the iteration the last one allowed? ralph ends at the limit before it reads the events of that iteration.',
      ],
      fixes: [
        fix('Name the topic and the command ralph emit in the instructions', 0.5, 'ralph.yml'),
        fix('Allow one more iteration', 0.3, 'ralph.yml', 'event_loop.max_iterations'),
      ],
    };
  },
};

/** Failures in which an event is the point. */
export const eventRules: readonly DiagnosisRule[] = [malformed, payloadWrong, rejected, missing];
