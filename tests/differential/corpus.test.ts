import { describe, expect, test } from 'vitest';
import { findDifferences, renderDifference } from './compare.js';
import { CORPUS } from './corpus/index.js';
import { Normaliser } from './normalise.js';
import { readPromptParts } from './prompt-parts.js';
import { listRecorded, readRecorded } from './recorded.js';

/** The parts of ralph's behaviour that a scenario can rest on; docs/stand-ins.md says what each is about. */
const PARTS = [
  ...['0.1', '0.2', '0.3', '0.4', '0.5', '0.7', '0.8', '0.9', '0.10'],
  ...['1.1', '1.2', '1.3', '2', '2.1', '3', '3.1', '3.2'],
  ...['4.1', '4.2', '4.3', '4.4', '5', '6.1', '6.2', '6.3', '6.4', '7', '8', '9'],
];

describe('the corpus', () => {
  test('has cases of different names, each of which says what it covers', () => {
    expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
    expect(CORPUS.filter(({ covers }) => !/^§\d/.test(covers))).toEqual([]);
    expect(CORPUS.length).toBeGreaterThanOrEqual(80);
  });

  test('has a recorded answer to every case, and to nothing else', () => {
    expect(listRecorded()).toEqual(CORPUS.map(({ name }) => name));
    for (const testCase of CORPUS) readRecorded(testCase);
  });

  test('covers every part', () => {
    const covered = new Set(CORPUS.flatMap(({ covers }) => covers.match(/(?<=§)\d+(\.\d+)?/g) ?? []));
    expect(PARTS.filter((part) => !covered.has(part))).toEqual([]);
  });
});

const places = { workspace: '/tmp/w', home: '/tmp/h', ralph: '/opt/bin', given: 'mem-1-aaaa' };

describe('normalisation', () => {
  test('takes out what is accidental and keeps references between ids', () => {
    const normaliser = new Normaliser(places);
    const text = (line: string) => normaliser.text(line);
    expect(text('{"ts":"2026-11-15T00:17:59.998193175+00:00","id":"task-17-0a1b"}')).toBe(
      '{"ts":"<time>","id":"<task 1>"}',
    );
    expect(text('task-18-ffff waits for task-17-0a1b')).toBe('<task 2> waits for <task 1>');
    expect(text('mem-1-aaaa, mem-2-aaaa')).toBe('mem-1-aaaa, <mem 1>');
    expect(text('/tmp/w/.ralph/events-20261115-001759.jsonl')).toBe(
      '<workspace>/.ralph/events-<stamp>.jsonl',
    );
    expect(text(' ITERATION 1 | ? ralph | 0s elapsed | 1/3')).toBe(
      ' ITERATION 1 | ? ralph | <time> elapsed | 1/3',
    );
    expect(text('[iter 1/3 done] dur=1m 3s total=62s budget=33%')).toBe(
      '[iter 1/3 done] dur=<time> total=<time> budget=33%',
    );
  });

  test('counts the folders of diagnostics once, whose names are seconds, and other files one by one', () => {
    expect(
      new Normaliser(places).files([
        '.ralph/diagnostics/2026-11-15T00-17-59/trace.jsonl',
        '.ralph/diagnostics/2026-11-15T00-18-00/trace.jsonl',
        '.ralph/events-20261115-001759.jsonl',
        '.ralph/events-20261115-001800.jsonl',
      ]),
    ).toEqual([
      '.ralph/diagnostics/<stamp>/trace.jsonl',
      '.ralph/events-<stamp>.jsonl',
      '.ralph/events-<stamp>.jsonl',
    ]);
  });

  test('keeps of the log where warnings come from, and nothing else', () => {
    const log =
      '2026-11-15T00:17:59.99Z  INFO ralph: hello\n2026-11-15T00:17:59.99Z  WARN ralph_core::x: oh\nLOOP_COMPLETE';
    expect(new Normaliser(places).screen(log)).toEqual(['WARN ralph_core::x:', 'LOOP_COMPLETE']);
  });

  test('keeps whole log lines where a case is about them', () => {
    const log =
      '2026-11-15T00:17:59.99Z  INFO ralph: hello, kill 12\n2026-11-15T00:17:59.99Z DEBUG x: oh\nhello';
    expect(new Normaliser(places).log(log, /hello/)).toEqual(['<time>  INFO ralph: hello, kill <pid>']);
  });
});

describe('the parts of a prompt', () => {
  test('are headings, data and what the case put in; prose is not', () => {
    const prompt = `<x-skill>
# Words
</x-skill>
### GUARDRAILS
999. Some default words
1000. Be kind to cats

## PENDING EVENTS

Event: task.start - <top-level-prompt>
## DONE
my words
</top-level-prompt>

## ACTIVE HAT

### Builder Instructions

## Any heading
Build it.
### Event Publishing Guide

Words, words.
- \`a.b\` → Received by: Ralph
## DONE

You MUST emit the completion event \`FIN\` via \`ralph emit\` at the end.
`;
    expect(readPromptParts(prompt, 'guardrails: [Be kind to cats]')).toEqual([
      '<x-skill>',
      '</x-skill>',
      '### GUARDRAILS',
      '999.',
      '1000. Be kind to cats',
      '## PENDING EVENTS',
      'Event: task.start - <top-level-prompt>',
      '## DONE',
      'my words',
      '</top-level-prompt>',
      '## ACTIVE HAT',
      '### Builder Instructions',
      '## Any heading',
      'Build it.',
      '### Event Publishing Guide',
      '- `a.b` → Received by: Ralph',
      '## DONE',
      '`FIN`',
    ]);
  });
});

describe('a difference', () => {
  test('names the field and shows the lines of each side', () => {
    const [difference, ...others] = findDifferences(
      { exit: ['exit 0'], events: ['a', 'b', 'c'] },
      { exit: ['exit 0'], events: ['a', 'x', 'c'] },
    );
    expect(others).toEqual([]);
    expect(difference && renderDifference(difference, 'real')).toBe(
      'events:\n    recorded | b\n    real     | x',
    );
  });

  test('is also a field that only one side has', () => {
    const [difference] = findDifferences({}, { 'prompt 1': ['x'] });
    expect(difference && renderDifference(difference, 'stand-in')).toBe(
      'prompt 1: only the stand-in has it\n    x',
    );
  });
});
