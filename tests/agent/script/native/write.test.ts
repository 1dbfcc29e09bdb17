import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteTemplate } from '../../../../src/agent/engine/template.js';
import { convertScript, writeScript } from '../../../../src/agent/script/convert.js';
import { parseScript } from '../../../../src/agent/script/parse.js';
import type { Condition, Failure, Pattern, Response, Step } from '../../../../src/domain/agent-script.js';

/** Texts that YAML, patterns or templates could take for something else. */
const TRICKY = [
  'any',
  '/a/',
  '/a(b)/i',
  'no',
  '1',
  '~',
  '# x',
  '- x',
  ': ',
  'a\nb\n',
  ' x ',
  '{{1}}',
  '{{=a}}',
  '"',
  'é🧪',
  '\t',
  '*',
  '&a',
  '',
];
const rawText = fc.oneof(fc.constantFrom(...TRICKY), fc.string({ maxLength: 12 }));
const text = rawText.map(quoteTemplate);
const nonEmpty = rawText.filter((value) => value !== '');
const pattern: fc.Arbitrary<Pattern> = fc.oneof(
  rawText.map((exact) => ({ exact })),
  nonEmpty.map((contains) => ({ contains })),
  fc.constantFrom<Pattern>(
    { regex: 'a(b)?/c' },
    { regex: '\\d+', flags: 'im' },
    { regex: '' },
    { glob: 'a*[b-c]?' },
    { any: true },
  ),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const given = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value));

const condition: fc.Arbitrary<Condition> = fc
  .record({
    hat: optional(rawText),
    event: optional(rawText),
    coordinating: optional(fc.boolean()),
    objective: optional(pattern),
    prompt: optional(fc.array(pattern, { minLength: 1, maxLength: 3 })),
    systemPrompt: optional(pattern),
    earlier: optional(pattern),
    model: optional(pattern),
    flags: optional(fc.array(rawText, { maxLength: 2 })),
    turn: optional(fc.integer({ min: 1, max: 9 })),
  })
  .map(given);

const step: fc.Arbitrary<Step> = fc.oneof(
  text.map((said): Step => ({ do: 'say', text: said })),
  fc.tuple(text, text).map(([path, content]): Step => ({ do: 'write', path, text: content })),
  fc.tuple(text, text).map(([path, content]): Step => ({ do: 'append', path, text: content })),
  fc.tuple(text, text, text).map(([path, old, now]): Step => ({ do: 'edit', path, old, new: now })),
  text.map((path): Step => ({ do: 'read', path })),
  text.map((note): Step => ({ do: 'note', text: note })),
  text.map((command): Step => ({ do: 'run', command })),
  fc
    .record({
      do: fc.constant('emit' as const),
      topic: text,
      payload: optional(text),
      by: fc.constantFrom('command', 'tag'),
    })
    .map(given),
  fc
    .record({
      do: fc.constant('tool' as const),
      name: text,
      input: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), text),
      result: optional(text),
    })
    .map(given),
  fc.nat(99).map((milliseconds): Step => ({ do: 'wait', milliseconds })),
  fc.constantFrom<Step>({ do: 'complete' }, { do: 'hang' }),
);

const failure = fc.constantFrom<Failure>(
  { type: 'authentication', message: 'no: really' },
  { type: 'rate-limit', retryAfterSeconds: 3 },
  { type: 'rate-limit' },
  { type: 'timeout', afterMs: 5 },
  { type: 'truncated', text: 'a\nb' },
  { type: 'crash', signal: 'SIGKILL' },
  { type: 'overloaded' },
);

const response: fc.Arbitrary<Response> = fc
  .record({
    steps: fc.array(step, { maxLength: 3 }),
    usage: optional(fc.record({ inputTokens: fc.nat(9), outputTokens: fc.nat(9) })),
    delayMs: optional(fc.nat(9)),
    tokenDelayMs: optional(fc.nat(9)),
    stopReason: optional(rawText),
    failure: optional(failure),
    failTimes: optional(fc.integer({ min: 1, max: 3 })),
  })
  .map(given);

const script = fc
  .record({
    format: fc.constant(1 as const),
    name: optional(rawText),
    identity: optional(fc.record({ model: rawText, loggedIn: fc.boolean() })),
    rules: fc.array(
      fc
        .record({
          name: rawText,
          when: condition,
          respond: response,
          maxMatches: optional(fc.integer({ min: 1, max: 3 })),
          turns: fc.array(fc.record({ when: condition, respond: response }), { maxLength: 2 }),
        })
        .map(given),
      { minLength: 1, maxLength: 3 },
    ),
    default: optional(response),
    tools: optional(
      fc.record({
        mode: fc.constantFrom('live', 'mock'),
        policies: fc.constant({ Bash: { approve: true } }),
      }),
    ),
  })
  .map(given);

test('a script that is written as a file reads back the same', () => {
  fc.assert(
    fc.property(script, (original) => {
      expect(parseScript(writeScript(original), { format: 'yaml' }).script).toEqual(original);
    }),
    { numRuns: 100, seed: 4 },
  );
});

test('a converted file is readable', () => {
  const claudeless = `name = "greeter"
[[responses]]
pattern = { type = "regex", pattern = "(?i)hello (\\\\w+)" }
response = { text = "Hi {{you}}!\\nHow are you?", tool_calls = [{ tool = "Read", input = { file_path = "a" } }] }
max_matches = 2
turns = [{ expect = { type = "any" }, response = "Bye" }, { expect = { type = "exact", text = "x" }, response = "", failure = { type = "rate_limit", retry_after = 3 } }]
`;
  expect(convertScript(claudeless, 'toml')).toBe(`name: greeter
rules:
  - on: /hello (\\w+)/iu
    steps:
      - tool: Read
        input:
          file_path: a
      - say: |-
          Hi {{=you}}!
          How are you?
    max: 2
    turns:
      - on: any
        say: Bye
      - on:
          exact: x
        failure:
          type: rate-limit
          retry_after_seconds: 3
`);
});
