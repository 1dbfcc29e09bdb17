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
          regex: 'fix\\p{White_Space}+(?<what>[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]+)',
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
  test('plays', async () => {
    const prompts = [
      'hello',
      'hello you',
      'list c.txt',
      'an error',
      'Fix this BUG',
      'Fix this BUG',
      'login',
      'x',
      'y',
    ];
    expect(await ask(fixture('v2_every_field.toml'), ...prompts)).toEqual([
      'exactly hello',
      'the default',
      'glob',
      'contained',
      '! rate-limit',
      'the default',
      'Username?',
      'Password?',
      '! authentication',
    ]);
    expect(await ask(fixture('v2.json'), 'login', 'x', 'y')).toEqual(['Username?', 'Welcome', 'What?']);
  });

  test('keeps everything that has a meaning here, and says what it ignores', async () => {
    const { script, notes } = await loadScriptFile(fixture('v2_every_field.toml'));
    expect(script).toMatchObject({
      identity: {
        model: 'claude-opus-4-5',
        version: '2.1.37',
        sessionId: '01234567-89ab-4cde-8f01-23456789abcd',
        permissionMode: 'default',
        loggedIn: true,
      },
      tools: {
        mode: 'live',
        policies: { Bash: { approve: true, result: 'canned' }, Write: { error: 'not today' } },
      },
      default: { usage: { inputTokens: 1, outputTokens: 2 }, delayMs: 0 },
    });
    expect(script.rules[2]?.respond).toEqual({
      steps: [
        { do: 'tool', name: 'Read', input: { file_path: '/x' }, result: 'the content' },
        {
          do: 'tool',
          name: 'Write',
          input: { file_path: 'out.txt', content: 'from {{=json}}' },
          alongside: true,
        },
        { do: 'say', text: 'contained' },
      ],
      usage: { inputTokens: 1, outputTokens: 2 },
      delayMs: 1,
    });
    expect(script.rules[4]?.turns[0]?.respond.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
    expect(notes).toContain('claude.placeholder is ignored: only the claudeless screen shows it');
    expect(notes).toContain('permission_mode delegate becomes default: Claude Code has removed it');
    expect(notes).toHaveLength(11);
  });

  test('takes trust, login and mode from the top as well', async () => {
    const { script } = await loadScriptFile(fixture('v2_standing_at_the_top.toml'));
    expect(script.identity).toEqual({ loggedIn: false, permissionMode: 'bypassPermissions' });
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
    ['name = "x"\nlaunch_timestamp = "now"\n', 's.toml:2: launch_timestamp: expected a time such as'],
    [
      'name = "x"\npermission_mode = "acceptEdits"\n',
      'permission_mode: unknown value "acceptEdits": did you mean "accept-edits"?',
    ],
    [
      '[timeouts]\nexit_hint = 1\n',
      'timeouts.exit_hint: unknown key "exit_hint": did you mean "exit_hint_ms"?',
    ],
    [
      '[[responses]]\non = { contain = "x" }\nsay = "a"\n',
      's.toml:2: responses[0].on: unknown key "contain": did you mean "contains"?',
    ],
    [
      '[[responses]]\non = "*"\nsya = "a"\n',
      's.toml:3: responses[0].sya: unknown key "sya": did you mean "say"?',
    ],
    ['[[responses]]\non = "[x"\nsay = "a"\n', 'responses[0]: Invalid glob'],
    [
      '[claude]\nmodle = "x"\n[[responses]]\non = "*"\n',
      's.toml:2: claude.modle: unknown key "modle": did you mean "model"?',
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

test('a file with a default and tools only is of the second generation', () => {
  const text = `
[default]
say = "Listed."
tools = [{ call = "TodoWrite", input = { todos = [] } }]
[tools]
mode = "live"
[tools.TodoWrite]
approve = true
`;
  expect(parseScript(text, { format: 'toml' }).script).toMatchObject({
    rules: [],
    default: {
      steps: [
        { do: 'tool', name: 'TodoWrite' },
        { do: 'say', text: 'Listed.' },
      ],
    },
    tools: { mode: 'live', policies: { TodoWrite: { approve: true } } },
  });
});

describe('regular expressions of Rust', () => {
  const load = (regexp: string) =>
    parseScript(
      JSON.stringify({ claude: {}, responses: [{ on: { regexp }, say: 'Yes.' }], default: { say: 'No.' } }),
      {
        format: 'json',
      },
    ).script;

  test.each([
    ['\\pL+ing', 'the ēding', true],
    ['^\\d$', '٣', true],
    ['^\\w+$', 'Grüße', true],
    ['\\bß\\b', 'ßx', false],
    ['\\u{61}b', 'ab', true],
    ['\\x{61}\\U00000062', 'ab', true],
    ['\\<foo\\>', 'a foo b', true],
    ['\\<foo\\>', 'a food b', false],
    ['^a.b$', 'a\rb', true],
    ['^a.b$', 'a\nb', false],
    ['(?s)^a.b$', 'a\nb', true],
    ['(?i)^FIX$', 'fix', true],
    ['(?m)^b$', 'a\nb', true],
    ['(?m)\\Ab', 'a\nb', false],
    ['(?P<n>x)y', 'xy', true],
    ['[[:alpha:]_]+!', 'a_b!', true],
    ['[]a]+$', ']a', true],
    ['\\"\\-\\#\\%', '"-#%', true],
    ['^.$', '🦀', true],
    ['a{2,3}b', 'aab', true],
    ['^a{2}b{1,}}$', 'aab}', true],
    ['^\\{.*}$', '{x}', true],
    ['^a]$', 'a]', true],
    ['a\\sb', 'a\u0085b', true],
    ['a\\Sb', 'a\ufeffb', true],
    ['a[\\s]b', 'a\ufeffb', false],
    ['(?m)^b', 'a\rb', false],
    ['(?m)a$', 'a\u2028b', false],
    ['(?m)a$', 'a\nb', true],
    ['(?i)^\\P{Lu}$', 'A', false],
    ['(?i)^\\P{Lu}$', '1', true],
    ['^\\P{Lu}$', 'a', true],
    ['^[\\P{Lu}B]$', 'B', true],
    ['^[]-a]$', '_', false],
    ['^[]-a]$', '-', true],
  ])('%s on %j: %s', async (regexp, prompt, fits) => {
    expect(await ask(load(regexp), prompt)).toEqual([fits ? 'Yes.' : 'No.']);
  });

  test.each([
    ['[a&&b]', /set operation &&/],
    ['[a--b]', /set operation --/],
    ['[a[bc]]', /a class in a class/],
    ['[[:^alpha:]]', /cannot translate \[:\^alpha:\]/],
    ['(?x) a b', /put flags in front|cannot translate/],
    ['a(?i:b)', /put flags in front/],
    ['a(?=b)', /Rust has no \(\?=/],
    ['(a)\\1', /cannot translate \\1/],
    ['a++', /Nothing to repeat/],
    ['\\p{Greek}', /Invalid property name/],
    ['[a', /not closed/],
    ['\\é', /cannot translate/],
    ['(?i)[\\P{Lu}]', /in a class to JavaScript, with the flag i/],
  ])('%s is refused', (regexp, reason) => {
    expect(() => load(regexp)).toThrow(reason);
  });
});
