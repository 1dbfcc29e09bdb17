import { describe, expect, test } from 'vitest';
import { NO_GUARDS } from '../../../src/domain/recording/guards.js';
import type { AgentRecording, Deed } from '../../../src/domain/recording/recording.js';
import { scriptOf } from '../../../src/run/replay/script.js';

const bash = (command: string, result = ''): Deed => ({
  kind: 'used',
  tool: 'Bash',
  input: { command },
  result,
  isError: false,
});

function record(deeds: readonly Deed[], more: Partial<AgentRecording> = {}): AgentRecording {
  return {
    version: 1,
    runId: '20261117-065049-abcdef',
    scenarioId: 'any',
    backend: 'claude',
    attempt: 1,
    at: '2026-11-17T06:50:49Z',
    target: { kind: 'real', path: '/bin/ralph', version: '2.10.1' },
    lane: 'live',
    drawn: { nonce: 'abcdef1234', numbers: [111, 222, 444], second: 'kiro' },
    workspace: '/old/place',
    calls: [{ iteration: 1, hat: null, prompt: 'Go.', deeds: [...deeds], emitted: [] }],
    files: [],
    obstacles: [],
    ...more,
  };
}

function stepsOf(recording: AgentRecording) {
  const written = scriptOf(recording, NO_GUARDS);
  if (written.kind === 'cannot') throw new Error(written.why);
  return written.script.rules.map(({ respond }) => respond.steps);
}

const whyNot = (recording: AgentRecording, guards = NO_GUARDS) => {
  const written = scriptOf(recording, guards);
  return written.kind === 'cannot' ? written.why : null;
};

test('what the agent said is said again, even if it looks like a template', () => {
  expect(stepsOf(record([{ kind: 'said', text: 'Use {{1}}.' }]))).toEqual([
    [{ do: 'say', text: 'Use {{=1}}.' }],
  ]);
});

test('a file tool runs again only in the workspace', () => {
  const write = (file_path: string): Deed => ({
    kind: 'used',
    tool: 'Write',
    input: { file_path, content: 'x' },
    result: 'ok',
    isError: false,
  });
  const hows = (path: string) =>
    stepsOf(record([write(path)]))
      .flat()
      .map((step) => step.do === 'tool' && step.redo?.how.kind);
  expect(hows('/old/place/a.txt')).toEqual(['file']);
  expect(hows('a.txt')).toEqual(['file']);
  expect(hows('/etc/hosts')).toEqual(['show']);
  expect(hows('/old/place/../a.txt')).toEqual(['show']);
});

describe('what a command left in files is written again', () => {
  const files: AgentRecording['files'] = [
    { path: 'made.txt', iteration: 1, content: { kind: 'text', text: 'made' } },
    { path: 'old.txt', iteration: 1, content: { kind: 'gone' } },
    { path: 'other.txt', iteration: 2, content: { kind: 'text', text: 'other' } },
  ];

  test('by the last command of its call that does not run again', () => {
    const [steps = []] = stepsOf(
      record([bash('npm install'), bash('npm test'), bash('cat made.txt')], { files }),
    );
    expect(steps.map((step) => step.do === 'tool' && step.redo?.how)).toEqual([
      { kind: 'show', line: [], writes: [], removes: [] },
      { kind: 'show', line: [], writes: [{ path: 'made.txt', text: 'made' }], removes: ['old.txt'] },
      { kind: 'command', line: expect.any(Array), sameResult: false },
    ]);
  });

  test('not at all if every command runs again', () => {
    const [steps = []] = stepsOf(record([bash('echo made > made.txt')], { files }));
    expect(steps).toMatchObject([{ redo: { how: { kind: 'command' } } }]);
  });

  test('if Ralph has hooks, only where the command names the file: a hook may have left it', () => {
    const marker = { path: 'marker', iteration: 1, content: { kind: 'text', text: 'x' } } as const;
    const why = (command: string, ralphHooks = true) =>
      whyNot(record([bash(command)], { files: [marker] }), { ...NO_GUARDS, ralphHooks });
    for (const named of [
      'npm run mark -- marker',
      'npm test\nmarker',
      'npm test -- "./marker";',
      'npm test >marker',
    ]) {
      expect(why(named), named).toBeNull();
    }
    for (const other of [
      'npm test markers',
      'npm test .marker',
      'npm test marker.txt',
      'npm run re-marker',
    ]) {
      expect(why(other), other).toContain('nobody knows');
    }
    expect(why('npm test', false)).toBeNull();
    expect(why('npm test')).toBe(
      'In iteration 1 nobody knows whether a command or a hook of Ralph left marker.',
    );
  });

  test('and if nobody knows what it left, the recording cannot be replayed', () => {
    const unknown = {
      path: 'big.bin',
      iteration: 1,
      content: { kind: 'unknown' as const, why: 'it is not a text' },
    };
    expect(whyNot(record([bash('npm test')], { files: [unknown] }))).toBe(
      'What a command left in big.bin is not known: it is not a text.',
    );
  });
});

describe('of a command that is only shown, the calls of Ralph run that left the recorded events', () => {
  const either = bash('npm test && ralph emit good || ralph emit bad');
  const emitting = (deeds: readonly Deed[], emitted: string[] | null) => {
    const { calls, ...rest } = record(deeds);
    return { ...rest, calls: calls.map((call) => ({ ...call, emitted })) };
  };
  const ran = (recording: AgentRecording) =>
    stepsOf(recording)
      .flat()
      .flatMap((step) => (step.do === 'tool' && step.redo?.how.kind === 'show' ? step.redo.how.line : []))
      .flatMap(({ commands }) => commands.map(({ words }) => words[2]));

  test('those before or those after an `||`', () => {
    expect(ran(emitting([either], ['good']))).toEqual(['good']);
    expect(ran(emitting([either], ['bad']))).toEqual(['bad']);
  });

  test('and events of other commands of the call are not mistaken for them', () => {
    expect(ran(emitting([bash('ralph emit good'), either], ['good', 'bad']))).toEqual(['bad']);
  });

  test.each([
    ['none of them', [either], []],
    ['Ralph recorded no end of the iteration', [bash('npm test || ralph emit bad')], null],
    ['more than one way leaves them', [bash('npm test || ralph tools task close x')], []],
  ])('but not if %s', (_, deeds, emitted) => {
    expect(whyNot(emitting(deeds, emitted))).toMatch(/nobody knows which calls of Ralph ran/);
  });
});

describe('a recording cannot be replayed', () => {
  test.each([
    '.git/hooks/pre-commit',
    'ralph.yml',
    '.claude/settings.json',
    '.ralph/current-events',
    '.mcp.json',
  ])('if a tool or a command changed %s', (path) => {
    const write = { kind: 'used' as const, tool: 'Write', result: 'ok', isError: false };
    expect(whyNot(record([{ ...write, input: { file_path: `/old/place/${path}`, content: '' } }]))).toMatch(
      /iteration 1 the agent changed/,
    );
    const files = [{ path, iteration: 1, content: { kind: 'text' as const, text: 'x' } }];
    expect(whyNot(record([bash('npm test')], { files }))).toMatch(/^The recording changes/);
  });

  test('if it names a file outside', () => {
    const files = [{ path: '../x', iteration: 1, content: { kind: 'gone' as const } }];
    expect(whyNot(record([bash('npm test')], { files }))).toMatch(/is outside the workspace/);
  });

  test('if a credential was removed from what the agent did', () => {
    expect(whyNot(record([bash('echo [redacted] > key.txt')]))).toMatch(
      /^A credential was removed .* iteration 1,/,
    );
  });

  test('if a command that does not run again emitted an event', () => {
    const { calls, ...rest } = record([bash('python3 report.py')]);
    const emitting = { ...rest, calls: calls.map((call) => ({ ...call, emitted: ['build.done'] })) };
    expect(whyNot(emitting)).toMatch(/iteration 1 events were emitted by a command that is not run again/);
  });

  test('if its recording says so', () => {
    expect(whyNot(record([], { obstacles: ['Kiro does not say what it does.'] }))).toBe(
      'Kiro does not say what it does.',
    );
  });
});
