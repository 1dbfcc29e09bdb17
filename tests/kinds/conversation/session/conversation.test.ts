import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KnownError } from '../../../../src/domain/common/known-error.js';
import { CommandNotFoundError } from '../../../../src/kinds/conversation/session/commands.js';
import { Conversation } from '../../../../src/kinds/conversation/session/conversation.js';
import { SessionLog } from '../../../../src/kinds/conversation/session/log.js';
import type { Session, SessionOptions } from '../../../../src/kinds/conversation/session/session.js';
import { WorkspaceWatch } from '../../../../src/kinds/conversation/stages/workspace.js';
import { tempFolder } from '../../../support/cli.js';

const NOTHING = { path: '', bytes: 0, head: '', tail: '', omittedBytes: 0, truncated: false };
const RESULT = {
  ...{ pid: null, exitCode: 0, signal: null, timedOut: false, interrupted: false, durationMs: 0 },
  ...{ leftBehind: [], survivors: [] },
  stdout: NOTHING,
  stderr: NOTHING,
};

/** A session that keeps what was asked of it, and answers every prompt but `/nope`. */
function fakeSession(options: Pick<SessionOptions, 'review'>, more: Partial<Session> = {}) {
  const asked: string[] = [];
  const log = new SessionLog(options);
  const session: Session = {
    ...{ id: 's', log, commands: [], about: null, over: null },
    begin: async () => {
      asked.push('begin');
      log.apply('started');
    },
    awaitServers: async () => void asked.push('servers'),
    send: async (prompt) => {
      if (prompt === '/nope') throw new CommandNotFoundError('none');
      const draft = log.openTurn({ asked: prompt, sent: prompt });
      draft.respond();
      return log.closeTurn(draft.close({ kind: 'completed' }));
    },
    interrupt: async () => {},
    end: async () => {
      asked.push('end');
      return { ...RESULT };
    },
    ...more,
  };
  return { session, asked };
}

const OPTIONS = {
  ...{ executable: 'claude', cwd: '/', env: {}, artifacts: '/', pluginDirs: [], permissionMode: 'default' },
  ...{ allowedTools: [], args: [], sessionTimeoutSeconds: 1, secrets: [] },
  marker: { name: 'TEST', value: 'x' },
};

describe('a conversation', () => {
  test('ends its session if the servers do not get ready, and passes the error on', async () => {
    const { session, asked } = fakeSession(
      {},
      {
        awaitServers: async () => {
          throw new KnownError('no answer');
        },
      },
    );
    const conversation = await Conversation.open({
      open: async () => session,
      options: OPTIONS,
      workspace: null,
    });
    await expect(conversation.start()).rejects.toThrow('no answer');
    expect(asked).toEqual(['begin', 'end']);
  });

  test('waits for the CLI, then for its servers', async () => {
    const { session, asked } = fakeSession({});
    const conversation = await Conversation.open({
      open: async () => session,
      options: OPTIONS,
      workspace: null,
    });
    await conversation.start();
    expect(asked).toEqual(['begin', 'servers']);
  });

  test('looks at the workspace once after each turn, also after one that was not sent', async () => {
    const folder = tempFolder();
    const workspace = await WorkspaceWatch.open(folder, { asks: ['a.txt'], secrets: [] });
    const stages: number[] = [];
    const conversation = await Conversation.open({
      open: async (options) => fakeSession(options).session,
      options: OPTIONS,
      workspace,
      stages: (turn) => {
        stages.push(turn.number);
        return [{ turn: 1, from: 'a', to: 'b', trigger: '', proofs: [], observed: [], valid: true }];
      },
    });
    await conversation.start();
    for (const prompt of ['one', '/nope', 'three']) {
      writeFileSync(join(folder, 'a.txt'), prompt);
      await conversation.say({ prompt }, 1);
    }
    expect(workspace.snapshots.map(({ turn, files }) => [turn, files.map(({ path }) => path)])).toEqual([
      [0, []],
      [1, ['a.txt']],
      [2, ['a.txt']],
      [3, ['a.txt']],
    ]);
    expect(stages).toEqual([1, 3]);
    const { log } = conversation.session;
    expect(log.turns.map(({ outcome }) => outcome.kind)).toEqual([
      'completed',
      'unknown-command',
      'completed',
    ]);
    expect(log.changes.filter(({ event }) => event === 'stage-changed')).toHaveLength(2);
    expect(log.illegal).toEqual([]);
  });
});
