import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFolder } from '../../../src/draft/folder/read-folder.js';
import { tempFolder } from '../../support/cli.js';
import { copyPlannedBuild, writeEvents, writeFolder } from '../support.js';

const COMPLETED = { reason: 'completed', exitCode: 0 } as const;
const emitted = (topic: string, payload: unknown = null) => ({
  topic,
  payload,
  ts: '2026-11-16T10:00:00.5+00:00',
});
const stepsOf = async (folder: string) => (await readFolder(folder, [])).iterations.map(({ steps }) => steps);

describe('what the real ralph left of a run', () => {
  test('is told iteration by iteration: hats and events', async () => {
    const { iterations, config, prompt, backend, gaps, ...facts } = await readFolder(copyPlannedBuild(), []);
    expect(iterations).toEqual([
      {
        number: 1,
        hat: { id: 'planner', name: '📋 Planner' },
        steps: [{ do: 'emit', topic: 'plan.ready', by: 'command', payload: "say {{hi}}, it's short" }],
        failed: false,
      },
      {
        number: 2,
        hat: { id: 'builder', name: "Builder's hat" },
        steps: [{ do: 'emit', topic: 'build.finished', by: 'command' }],
        failed: false,
      },
      {
        number: 3,
        hat: { id: 'ralph', name: null },
        steps: [{ do: 'emit', topic: 'ALL_DONE', by: 'command' }],
        failed: false,
      },
    ]);
    expect(config).toEqual({
      event_loop: { starting_event: 'plan.start', max_iterations: 10, completion_promise: 'ALL_DONE' },
      hats: { planner: expect.anything(), builder: expect.anything() },
      skills: { enabled: false },
    });
    expect(prompt).toBe('Make src/greeting.js say "hi" and `bye`.\nThen end.');
    expect(backend).toBe('claude');
    expect(facts).toMatchObject({
      promise: 'ALL_DONE',
      termination: { reason: 'completed', exitCode: 0, iterations: 3 },
    });
    expect(gaps).toEqual([
      expect.stringContaining('cli: {"backend":"claude"}'),
      expect.stringContaining('Add the files, notes, memories and tasks that it wrote'),
      expect.stringContaining('does not show what the agent said'),
    ]);
  });
});

describe('a folder', () => {
  const RUN = {
    'ralph.yml': 'event_loop: { max_iterations: 4 }\n',
    'PROMPT.md': 'Do it.\n',
    '.ralph/current-events': '.ralph/events-2.jsonl',
  };

  test('tells of its last run, whose events the marker names', async () => {
    const folder = writeFolder({
      ...RUN,
      '.ralph/events-1.jsonl': writeEvents([[emitted('old')]], COMPLETED),
      '.ralph/events-2.jsonl': writeEvents([[emitted('new')]], COMPLETED),
      '.ralph/events-3.jsonl': writeEvents([[emitted('other')]], COMPLETED),
    });
    expect((await readFolder(folder, [])).events.map(({ topic }) => topic)).toEqual(['new']);
  });

  test.each([['.ralph/events-9.jsonl'], ['/home/somebody/project/.ralph/events-2.jsonl']])(
    'has the newest events where the marker leads to %s',
    async (marker) => {
      const folder = writeFolder({
        ...RUN,
        '.ralph/current-events': marker,
        '.ralph/events-1.jsonl': writeEvents([[emitted('old')]], COMPLETED),
        '.ralph/events-2.jsonl': writeEvents([[emitted('new')]], COMPLETED),
      });
      expect((await readFolder(folder, [])).events.map(({ topic }) => topic)).toEqual(['new']);
    },
  );

  test('tells commands from tags, and completes where no event says so', async () => {
    const tag = { ...emitted('seen', 'yes'), iteration: 1, hat: 'ralph' };
    const folder = writeFolder({
      ...RUN,
      '.ralph/events-2.jsonl': writeEvents([[emitted('count', { n: 1 }), tag], []], COMPLETED),
    });
    expect(await stepsOf(folder)).toEqual([
      [
        { do: 'emit', topic: 'count', by: 'command', payload: '{"n":1}' },
        { do: 'emit', topic: 'seen', by: 'tag', payload: 'yes' },
      ],
      [{ do: 'complete' }],
    ]);
  });

  test('plays failures where they ended the loop', async () => {
    const folder = writeFolder({
      ...RUN,
      'ralph.yml': 'event_loop: { max_consecutive_failures: 2 }\n',
      '.ralph/events-2.jsonl': writeEvents([[], [], []], { reason: 'consecutive_failures', exitCode: 1 }),
    });
    expect((await readFolder(folder, [])).iterations.map(({ failed }) => failed)).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('says what ended a loop where the draft does not', async () => {
    const folder = writeFolder({
      ...RUN,
      '.ralph/events-2.jsonl': writeEvents([[]], { reason: 'max_runtime', exitCode: 2 }),
    });
    expect((await readFolder(folder, [])).gaps).toContainEqual(expect.stringContaining('max_runtime'));
  });

  test('has the words of the agent where a version of Ralph kept them', async () => {
    const rows = [
      { ts: 't', iteration: 1, hat: 'ralph', type: 'text', text: 'Hello <event topic="seen">yes</event>' },
      {
        ts: 't',
        iteration: 1,
        hat: 'ralph',
        type: 'tool_call',
        name: 'Bash',
        id: '1',
        input: { command: 'rm -rf /' },
      },
      { ts: 't', iteration: 1, hat: 'ralph', type: 'tool_result', id: '1', output: 'no' },
      { ts: 't', iteration: 1, hat: 'ralph', type: 'text', text: 'Done.\nLOOP_COMPLETE\n' },
    ];
    const folder = writeFolder({
      ...RUN,
      '.ralph/events-2.jsonl': writeEvents(
        [[{ ...emitted('seen', 'yes'), iteration: 1, hat: 'ralph' }]],
        COMPLETED,
      ),
      '.ralph/diagnostics/2026-11-16T10-00-00/agent-output.jsonl': rows
        .map((row) => JSON.stringify(row))
        .join('\n'),
    });
    const { iterations } = await readFolder(folder, []);
    // What it called is left out: the folder is somebody else's.
    expect(iterations).toMatchObject([
      {
        steps: [
          { do: 'say', text: 'Hello <event topic="seen">yes</event>' },
          { do: 'say', text: 'Done.\nLOOP_COMPLETE\n' },
        ],
      },
    ]);
  });

  test('with hooks says to read them, and to add the files that they name', async () => {
    const folder = writeFolder({
      'PROMPT.md': 'Do it.',
      'ralph.yml':
        'hooks: { enabled: true, events: { pre.loop.start: [{ name: x, command: [sh, ./x.sh] }] } }\n',
    });
    expect((await readFolder(folder, [])).gaps).toContainEqual(
      expect.stringMatching(/hooks, which run commands\..*add the files that they name/),
    );
  });

  test('gives no credentials: by their shape, by the variables of this shell, or by their keys', async () => {
    const key = 'sk-ant-x1Y2z3A4b5C6d7E8f9';
    const folder = writeFolder({
      ...RUN,
      'ralph.yml': `RObot: { telegram: { bot_token: "123:abc" } }\nhats: { a: { instructions: "use ${key} and hunter2hunter2" } }\n`,
      'PROMPT.md': `Use ${key}.`,
      '.ralph/events-2.jsonl': writeEvents([[emitted('told', `it is ${key}, hunter2hunter2`)]], COMPLETED),
    });
    const facts = await readFolder(folder, ['hunter2hunter2']);
    expect(JSON.stringify(facts)).not.toMatch(/sk-ant-x|hunter2|123:abc/);
    expect(facts.gaps).toContainEqual(expect.stringContaining('RObot.telegram.bot_token'));
  });

  test('leaves the programs of others out: backends with a command of their own', async () => {
    const folder = writeFolder({
      'ralph.yml':
        'cli: { backend: custom, command: ./evil.sh }\nhats: { a: { backend: gemini }, b: { backend: { command: ./evil.sh } } }\n',
    });
    const { config, companions, backend, gaps } = await readFolder(folder, []);
    expect(config).toEqual({ hats: { a: { backend: 'gemini' }, b: {} } });
    expect([companions, backend]).toEqual([['gemini'], 'claude']);
    expect(gaps.filter((gap) => gap.includes('evil.sh'))).toHaveLength(2);
  });

  test('is not followed out of: links are passed over', async () => {
    const outside = writeFolder({ 'prompt.md': 'Somebody else.' });
    const folder = writeFolder({ 'ralph.yml': 'event_loop: {}\n' });
    symlinkSync(join(outside, 'prompt.md'), join(folder, 'PROMPT.md'));
    expect((await readFolder(folder, [])).prompt).toBe('Do it.');
  });

  test('has bounds: long payloads are cut, and their checks left out', async () => {
    const folder = writeFolder({
      ...RUN,
      '.ralph/events-2.jsonl': writeEvents([[emitted('long', 'x'.repeat(100_000))]], COMPLETED),
    });
    const { events, iterations } = await readFolder(folder, []);
    expect(events).toMatchObject([{ topic: 'long', whole: false }]);
    expect(JSON.stringify(iterations).length).toBeLessThan(6_000);
  });
});

describe('a folder that nothing can be drafted from', () => {
  test.each([
    ['nothing', () => join(tempFolder(), 'absent'), /expected a folder, found nothing/],
    ['a file', () => join(writeFolder({ x: '' }), 'x'), /expected a folder, found a file/],
    ['an empty folder', tempFolder, /expected a folder with ralph\.yml, PROMPT\.md or \.ralph\/, found none/],
    ['.ralph itself', () => writeFolder({ 'history.jsonl': '' }), /found the content of \.ralph\//],
    [
      'broken YAML',
      () => writeFolder({ 'ralph.yml': 'a: [' }),
      /ralph\.yml: expected YAML, but it cannot be parsed: /,
    ],
    ['a list', () => writeFolder({ 'ralph.yml': '- a\n' }), /expected a mapping of settings/],
    ['a huge file', () => writeFolder({ 'ralph.yml': `a: ${'x'.repeat(200_000)}` }), /at most 131072 bytes/],
  ])('is refused with what was expected and found: %s', async (_, make, wanted) => {
    await expect(readFolder(make(), [])).rejects.toMatchObject({
      name: 'KnownError',
      message: expect.stringMatching(wanted),
      hint: expect.any(String),
    });
  });

  test('a prompt alone is enough', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'prompt.md'), 'Do it well.\n');
    expect(await readFolder(folder, [])).toMatchObject({ prompt: 'Do it well.', iterations: [], config: {} });
  });
});
