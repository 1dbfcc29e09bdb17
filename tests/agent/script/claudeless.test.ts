import { describe, expect, test } from 'vitest';
import { loadScriptFile } from '../../../src/agent/script/load.js';
import { parseScript } from '../../../src/agent/script/parse.js';
import { ask, fixture } from '../support.js';

describe('the first generation', () => {
  test('plays the patterns, answers and failures that it has', async () => {
    const prompts = [
      'a*b?',
      'axbx',
      'please FIX  me',
      'list b-1.txt',
      'use tools',
      'use tools',
      'unreachable',
      'slow',
      'key',
      'limit',
      'credits',
      'partial',
      'malformed',
      'auth',
      'x',
    ];
    expect(await ask(fixture('v1_every_field.toml'), ...prompts)).toEqual([
      'exactly',
      'the default',
      'regex {{1}} {{name}}',
      'glob',
      'I use tools.',
      'the default',
      '! unreachable',
      '! timeout',
      '! authentication',
      '! rate-limit',
      '! out-of-credits',
      '! truncated',
      '! malformed',
      'Authenticating...',
      '! authentication',
    ]);
  });

  test('keeps everything that has a meaning here', async () => {
    const { script } = await loadScriptFile(fixture('v1_every_field.toml'));
    expect(script).toMatchObject({
      name: 'every field of the first generation',
      identity: {
        model: 'claude-sonnet-4-5',
        version: '2.1.29',
        sessionId: '01234567-89ab-4cde-8f01-23456789abcd',
        permissionMode: 'acceptEdits',
        loggedIn: false,
      },
      default: { usage: { inputTokens: 7, outputTokens: 8 } },
      tools: {
        mode: 'mock',
        policies: {
          Bash: { approve: true, result: 'canned' },
          Write: { error: 'not today' },
          AskUserQuestion: { answers: { 'Which?': 'That one' } },
        },
      },
    });
    expect(script.rules[1]?.when).toEqual({
      prompt: [
        {
          regex: 'fix\\s+(?<what>\\w+)',
          flags: 'iu',
        },
      ],
    });
    expect(script.rules[2]?.respond.delayMs).toBe(1);
    expect(script.rules[3]).toEqual({
      name: 'on prompt "tools"',
      when: { prompt: [{ contains: 'tools' }] },
      maxMatches: 1,
      turns: [],
      respond: {
        usage: { inputTokens: 11, outputTokens: 22 },
        steps: [
          { do: 'tool', name: 'Read', input: { file_path: '/x' }, result: 'the content' },
          {
            do: 'tool',
            name: 'Write',
            input: { file_path: 'out.txt', content: 'from {{=json}}' },
            alongside: true,
          },
          {
            alongside: true,
            do: 'tool',
            name: 'Edit',
            input: { file_path: 'a', deep: [{ new_string: 'the text of {{=body}}\n' }] },
            result: 'ok',
          },
          // The text is the result of the call, as in claudeless.
          { do: 'say', text: 'I use tools.' },
        ],
      },
    });
    expect(script.rules.slice(4, 11).map(({ respond }) => respond)).toEqual(
      [
        { type: 'unreachable' },
        { type: 'timeout', afterMs: 10 },
        { type: 'authentication', message: 'Invalid API key' },
        { type: 'rate-limit', retryAfterSeconds: 60 },
        { type: 'out-of-credits' },
        { type: 'truncated', text: 'I was going to' },
        { type: 'malformed', raw: '{"type":' },
      ].map((failure) => ({ steps: [], failure })),
    );
  });

  test('says what it ignores', async () => {
    const { notes } = await loadScriptFile(fixture('v1_every_field.toml'));
    expect(notes.map((note) => note.split(' is ignored: ')[0]).sort()).toEqual([
      'launch_timestamp',
      'placeholder',
      'project_path',
      'provider',
      'show_welcome_back',
      'timeouts',
      'trusted',
      'user_name',
      'welcome_back_right_panel',
      'working_directory',
    ]);
  });
});

describe('the second generation', () => {
  test.each([
    '[[responses]]\non = { regexp = "(?i)fix" }\nsay = "Fixed."\n',
    '[claude]\nmodel = "claude-sonnet-4-5"\n[default]\nsay = "?"\n',
  ])('is refused by name: %j', (text) => {
    expect(() => parseScript(text, { format: 'toml', file: 's.toml' })).toThrow(
      expect.objectContaining({
        name: 'KnownError',
        message:
          's.toml: expected `pattern` and `response`, found the keys of a later claudeless (`claude`, `on`, `say`)',
        hint: expect.stringContaining('docs/agent-script.md'),
      }),
    );
  });
});

describe('mistakes', () => {
  test.each([
    [
      '[[responses]]\npattern = { type = "contain", text = "x" }\n',
      's.toml:2: responses[0].pattern.type: unknown value "contain": did you mean "contains"?',
    ],
    [
      '[[responses]]\npattern = { type = "contains", txt = "x" }\n',
      'responses[0].pattern.txt: unknown key "txt": did you mean "text"?',
    ],
    [
      '[[responses]]\npattern = { type = "any" }\nresponse = { text = "a", delayms = 3 }\n',
      's.toml:3: responses[0].response.delayms: unknown key "delayms": did you mean "delay_ms"?',
    ],
    [
      '[[responses]]\npattern = { type = "any" }\nfailure = { type = "auth_eror", message = "x" }\n',
      'responses[0].failure.type: unknown value "auth_eror": did you mean "auth_error"?',
    ],
    [
      '[[responses]]\npattern = { type = "any" }\nmaxmatches = 1\n',
      'responses[0].maxmatches: unknown key "maxmatches": did you mean "max_matches"?',
    ],
    [
      '[[responses]]\npattern = { type = "any" }\nturns = [{ expect = { type = "any" } }]\n',
      'responses[0].turns[0].response',
    ],
    [
      '[[responses]]\npattern = { type = "regex", pattern = "(" }\n',
      'responses[0].pattern.pattern: Invalid regular expression',
    ],
    [
      '[[responses]]\npattern = { type = "any" }\nturns = [{ expect = { type = "regex", pattern = "(" }, response = "" }]\n',
      'responses[0].turns[0].expect.pattern: Invalid regular expression',
    ],
    ['name = "x"\nsession_id = "no"\n', 's.toml:2: session_id: expected a UUID'],
    [
      'name = "x"\npermission_mode = "acceptEdits"\n',
      'permission_mode: unknown value "acceptEdits": did you mean "accept-edits"?',
    ],
    [
      '[[responses]]\npattern = { type = "glob", pattern = "[x" }\nresponse = "a"\n',
      'responses[0]: Invalid glob',
    ],
    ['responses = []\n', 's.toml: the script is empty: expected responses or a default'],
    [
      '[conversations.a]\nturns = [{ expct = { type = "any" }, response = "a" }]\n',
      'conversations.a.turns[0].expct: unknown key "expct": did you mean "expect"?',
    ],
  ])('%j', (text, message) => {
    expect(() => parseScript(text, { format: 'toml', file: 's.toml' })).toThrow(
      expect.objectContaining({ name: 'KnownError', message: expect.stringContaining(message) }),
    );
  });
});

describe('regular expressions of Rust', () => {
  const load = (pattern: string) =>
    parseScript(
      JSON.stringify({
        responses: [{ pattern: { type: 'regex', pattern }, response: 'Yes.' }],
        default_response: 'No.',
      }),
      { format: 'json' },
    ).script;

  test.each([
    ['\\p{L}+ing', 'the ēding', true],
    ['\\u{61}b', 'ab', true],
    ['^a.b$', 'a\nb', false],
    ['(?s)^a.b$', 'a\nb', true],
    ['(?i)^FIX$', 'fix', true],
    ['(?im)^B$', 'a\nb', true],
    ['(?P<n>x)y', 'xy', true],
    ['^\\(?P<', '(P<', true],
    ['^.$', '🦀', true],
    ['a{2,3}b', 'aab', true],
  ])('%s on %j: %s', async (regex, prompt, fits) => {
    expect(await ask(load(regex), prompt)).toEqual([fits ? 'Yes.' : 'No.']);
  });

  test.each([
    ['[a&&b]', /set operation &&/],
    ['[a--b]', /set operation --/],
    ['[a[bc]]', /Lone quantifier brackets/],
    ['[[:alpha:]_]', /Lone quantifier brackets/],
    ['(?x) a b', /Invalid group/],
    ['a++', /Nothing to repeat/],
    ['\\Ab', /Invalid escape/],
    ['\\pL', /Invalid property name/],
    ['\\p{Greek}', /Invalid property name/],
    ['[a', /Unterminated character class/],
  ])('%s is refused', (regex, reason) => {
    expect(() => load(regex)).toThrow(reason);
  });
});
