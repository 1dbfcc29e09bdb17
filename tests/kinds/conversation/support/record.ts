import type {
  CallRecord,
  ConversationRecord,
  HookRun,
  Turn,
} from '../../../../src/domain/evidence/conversation.js';

export const CALL: CallRecord = {
  id: 'c1',
  name: 'Read',
  input: { file_path: 'a.py' },
  result: 'def add',
  isError: false,
  parent: null,
};
export const HOOK: HookRun = {
  id: 'h1',
  name: 'PreToolUse:Bash',
  event: 'PreToolUse',
  stdout: '',
  stderr: 'no plan',
  exitCode: 2,
  outcome: 'error',
  callId: 'c2',
  blocked: true,
  reason: 'no plan',
};
const FIRST: Turn = {
  number: 1,
  asked: '/explore',
  sent: '/agent-loop:explore',
  command: { name: 'agent-loop:explore', args: '' },
  startedAt: '',
  durationMs: 1,
  outcome: { kind: 'completed' },
  text: 'A systematic look. Not found: b.py, let me check a.py instead. Padding 32px should be 24px. Next: /agent-loop:plan',
  calls: [CALL],
  hooks: [
    { ...HOOK, event: 'PostToolUse', name: 'PostToolUse:Read', blocked: false, reason: null, stderr: 'seen' },
  ],
  denied: [],
  received: ['Be kind.', 'def f'],
  inputTokens: 1,
  outputTokens: 1,
  totalCostUsd: 0,
};
const SECOND: Turn = {
  ...FIRST,
  number: 2,
  outcome: { kind: 'blocked', reason: 'commit tests first' },
  calls: [
    { ...CALL, id: 'c2', name: 'Bash', input: { command: 'git commit' }, result: 'no plan', isError: true },
  ],
  hooks: [HOOK],
  denied: ['c2'],
};
export const STAGE = {
  turn: 1,
  from: 'idle',
  to: 'exploring',
  trigger: '/agent-loop:explore',
  proofs: ['commanded', 'observed'],
  observed: ['Read was used'],
  valid: true,
} as const;
const whole = (text: string) => ({ kind: 'whole', text, scrubbed: false }) as const;

/** Two turns with the agent-loop plugin: the first explores, the second is stopped by a hook. */
export const RECORD: ConversationRecord = {
  sessionId: 's',
  planned: 2,
  startError: null,
  turns: [FIRST, SECOND],
  init: {
    version: '2',
    model: 'm',
    permissionMode: 'acceptEdits',
    tools: [],
    agents: ['agent-loop:workflow-agent'],
    skills: ['agent-loop:code-exploration'],
    mcpServers: [{ name: 'plugin:visual:browser', status: 'connected' }],
    plugins: [{ name: 'agent-loop', path: '/p' }],
    pluginErrors: [{ plugin: 'inline[1]', type: 'path-not-found', message: 'Path not found: /x' }],
  },
  commands: [{ name: 'agent-loop:plan', description: '' }],
  workflow: 'agent-loop',
  stage: 'exploring',
  stages: [STAGE],
  commits: [{ turn: 1, hash: 'abc', message: 'fix(x): add adds', paths: ['tests/a.py'] }],
  findings: [{ kind: 'repeated-call', turn: 2, tool: 'Read', times: 3 }],
  filesSeen: [{ turn: 1, path: 'a.py', how: 'read' }],
  snapshots: [
    {
      turn: 0,
      files: [{ path: 'a.py', change: 'present', sizeBytes: 7, content: whole('def add') }],
      truncated: false,
    },
    {
      turn: 1,
      files: [{ path: 'a.py', change: 'modified', sizeBytes: 7, content: whole('def sub') }],
      truncated: false,
    },
    { turn: 2, files: [{ path: 'a.py', change: 'deleted', sizeBytes: 7 }], truncated: false },
  ],
  devServer: { command: ['npm', 'start'], url: 'http://localhost:3000', endedEarly: null },
  hookLog: [{ event: 'Stop', payload: { hook_event_name: 'Stop' } }],
  illegalSteps: [],
};
