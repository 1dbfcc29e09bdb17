// Starts programs, or takes seconds: in the project `whole`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ClaudeSession } from '../../../../src/kinds/conversation/claude/session.js';
import { fixturePluginFolder } from '../../../../src/kinds/conversation/projects/fixture-plugins.js';
import type { StateChange } from '../../../../src/kinds/conversation/session/log.js';
import type { SessionOptions } from '../../../../src/kinds/conversation/session/session.js';
import { StageTracker } from '../../../../src/kinds/conversation/stages/tracker.js';
import { WorkspaceWatch } from '../../../../src/kinds/conversation/stages/workspace.js';
import { agentLoop } from '../../../../src/kinds/conversation/workflows.js';
import { covers } from '../../../coverage/covers.js';
import { tempFolder } from '../../../support/cli.js';

const CLAUDE = fileURLToPath(new URL('../../../../dist/agent/bin/claude', import.meta.url));

const SCRIPT = `rules:
  - on: Look around
    steps:
      - say: I look.
      - run: echo seen
      - write: a.txt
        text: x
      - say: Next is /talk:plan
  - on: how sums are made
    steps:
      - say: I look first.
      - read: sum.js
      - say: It adds.
  - on: overload
    failure: overloaded
  - on: vanish
    failure: crash
  - on: wait for ever
    steps:
      - hang
  - on: any
    say: You said it.
`;

/** A session with a small plugin: one command, a hook that forbids writing, one that forbids a word. */
async function talk(options: Partial<SessionOptions> = {}): Promise<ClaudeSession> {
  const folder = tempFolder();
  const files = {
    'script.yaml': SCRIPT,
    'plugin/.claude-plugin/plugin.json': '{"name":"talk","version":"1.0.0","description":"d"}',
    'plugin/commands/look.md': '---\ndescription: Looks\n---\nLook around $ARGUMENTS\n',
    'plugin/commands/plan.md': 'Make a plan.\n',
    'plugin/hooks/hooks.json': JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'echo not now >&2; exit 2' }] }],
        UserPromptSubmit: [
          {
            hooks: [
              {
                type: 'command',
                command: `if grep -q forbidden; then echo '{"decision":"block","reason":"a bad word"}'; fi`,
              },
            ],
          },
        ],
      },
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  for (const name of ['workspace', 'home', 'artifacts']) mkdirSync(join(folder, name));
  const session = await ClaudeSession.open({
    executable: CLAUDE,
    cwd: join(folder, 'workspace'),
    env: {
      PATH: `${process.env.PATH}`,
      HOME: join(folder, 'home'),
      RALPH_E2E_AGENT_SCRIPT: join(folder, 'script.yaml'),
    },
    artifacts: join(folder, 'artifacts'),
    pluginDirs: [join(folder, 'plugin')],
    permissionMode: 'acceptEdits',
    allowedTools: [],
    args: [],
    sessionTimeoutSeconds: 120,
    marker: { name: 'TEST_SESSION', value: folder },
    secrets: [],
    ...options,
  });
  onTestFinished(async () => void (await session.end()));
  await session.begin();
  return session;
}

describe('a conversation', () => {
  test('resolves bare commands, and reports tools, hooks and denials', async () => {
    covers('C58', 'C59');
    const session = await talk();
    const turn = await session.send('/look here', 60);
    expect(turn).toMatchObject({
      sent: '/talk:look here',
      outcome: { kind: 'completed' },
      text: 'I look.\nNext is /talk:plan',
    });
    const [listed, written] = turn.calls;
    expect([listed?.name, listed?.isError, written?.name, written?.isError]).toEqual([
      'Bash',
      false,
      'Write',
      true,
    ]);
    expect([listed?.input, written?.input]).toEqual([
      expect.objectContaining({ command: 'echo seen' }),
      expect.objectContaining({ content: 'x' }),
    ]);
    expect([listed?.result, written?.result]).toEqual(['seen', expect.stringContaining('not now')]);
    const hook = turn.hooks.find(({ event }) => event === 'PreToolUse');
    expect(hook).toMatchObject({ blocked: true, reason: 'not now', callId: written?.id });
    expect(turn.denied).toEqual([written?.id]);
  });

  test('distinguishes a blocked prompt from an answer, and continues', async () => {
    const session = await talk();
    const blocked = await session.send('something forbidden', 60);
    expect(blocked.outcome).toEqual({ kind: 'blocked', reason: 'a bad word' });
    expect((await session.send('hello', 60)).outcome).toEqual({ kind: 'completed' });
    expect(session.log.illegal).toEqual([]);
  });

  test('refuses a command that the session does not have before anything is sent', async () => {
    const session = await talk();
    await expect(session.send('/nonsense', 60)).rejects.toThrow('The session has no command /nonsense.');
    expect(session.log.turns).toEqual([]);
  });

  test('distinguishes an API error from a crash of the CLI', async () => {
    const session = await talk();
    expect((await session.send('overload', 60)).outcome).toMatchObject({ kind: 'api-error', status: 529 });
    expect((await session.send('vanish', 60)).outcome).toMatchObject({ kind: 'crashed' });
    await expect(session.send('hello', 60)).rejects.toThrow();
    expect(session.log.state).toBe('IDLE');
  });

  test('ends a turn at its time limit and leaves nothing running', async () => {
    const session = await talk();
    const turn = await session.send('wait for ever', 2);
    expect(turn.outcome).toEqual({ kind: 'timed-out', afterSeconds: 2 });
    const { leftBehind, survivors } = await session.end();
    expect([leftBehind, survivors]).toEqual([[], []]);
    expect(session.log.changes.at(-1)).toMatchObject({ event: 'ended', detail: 'timed-out' });
  });
});

/** Holds one turn of agent-loop in a project with one file, and returns the session and its changes of state. */
async function explore(): Promise<{ session: ClaudeSession; changes: readonly StateChange[] }> {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'sum.js'), 'export const sum = (a, b) => a + b;\n');
  const watch = await WorkspaceWatch.open(cwd);
  const tracker = new StageTracker(agentLoop);
  const changes: StateChange[] = [];
  const session = await talk({
    cwd,
    pluginDirs: [fixturePluginFolder('agent-loop')],
    review: async (turn) => tracker.take(turn, await watch.look(turn.number)),
    onStateChange: (change) => changes.push(change),
  });
  const turn = await session.send('/explore how sums are made', 60);
  expect(turn).toMatchObject({ outcome: { kind: 'completed' }, calls: [{ name: 'Read', isError: false }] });
  await session.end();
  return { session, changes };
}

describe('the states of a real session', () => {
  covers('C6', 'C7', 'C8', 'C9', 'C10', 'C11');

  test('go through the command and the step to the next stage, and none is illegal', async () => {
    const { session, changes } = await explore();
    const names = [changes[0]?.from, ...changes.map(({ to }) => to)];
    expect(names.filter((name, index) => name !== names[index - 1])).toEqual([
      'IDLE',
      'USER_PROMPT',
      'AGENT_RESPONDING',
      'COMMAND_EXECUTING',
      'AGENT_RESPONDING',
      'WORKFLOW_TRANSITION',
      'USER_PROMPT',
      'IDLE',
    ]);
    expect(session.log.illegal).toEqual([]);
    expect(session.log.changes).toEqual(changes);
  });

  test('record the prompt, the response, the command, the call and the step', async () => {
    const { session, changes } = await explore();
    const details = (event: StateChange['event']) =>
      changes.filter((change) => change.event === event).map(({ detail }) => detail);
    const [call] = session.log.turns[0]?.calls ?? [];
    expect(details('prompt-sent')).toEqual(['/agent-loop:explore how sums are made']);
    expect(details('responding')).toEqual(['']);
    expect(details('command-recognised')).toEqual(['agent-loop:explore how sums are made']);
    expect(details('tool-called')).toEqual([call?.id]);
    expect(details('text')).toEqual(['13 characters', '8 characters']);
    expect(details('stage-changed')).toEqual(['idle -> exploring (/agent-loop:explore)']);
    expect(details('turn-ended')).toEqual(['completed']);
    expect(details('ended')).toEqual(['closed']);
  });
});
