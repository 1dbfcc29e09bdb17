import { onAnyPrompt, onPrompt, type RuleBuilder } from '../../../src/agent/builder.js';

/** A call that the stand-in refuses by name, with what it names; the real program answers it. */
interface RefusedCall {
  readonly args: readonly string[];
  readonly refused: string;
}

/** A script and the calls that play it, the same for the stand-in and the real program. */
export interface StandInCase {
  readonly id: string;
  readonly rules: readonly RuleBuilder[];
  /** Each call is a process; they run one after the other in the same folder. */
  readonly calls: readonly (readonly string[] | RefusedCall)[];
  /** The files in the folder before the first call. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the words of the result differ: the stand-in does not copy what Claude Code says about its service. */
  readonly hasOwnWords?: boolean;
}

const STREAM = ['--print', '--verbose', '--output-format', 'stream-json'];
const SKIP_PERMISSIONS = [...STREAM, '--dangerously-skip-permissions'];
const SESSION = '5f0c1d5e-7a53-4d39-9a53-0c5d1f6b8a11';

function hooks(event: string, command: string, matcher?: string): string[] {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command }] };
  return ['--settings', JSON.stringify({ hooks: { [event]: [group] } })];
}

/** Cases for the print mode of Claude Code, which is what other programs use. */
export const STAND_IN_CASES: readonly StandInCase[] = [
  {
    id: 'plain answer',
    rules: [onPrompt(/say (\w+)/).says('{{upper 1}}')],
    calls: [[...STREAM, 'say hello']],
  },
  {
    id: 'plain answer as text',
    rules: [onAnyPrompt().says('First.').runs('echo hi').says('Second.').says('Third.')],
    calls: [['--print', 'go']],
  },
  {
    id: 'plain answer as json',
    rules: [onAnyPrompt().says('Hello.')],
    calls: [['--print', '--output-format', 'json', 'go']],
  },
  {
    id: 'tool use',
    rules: [
      onAnyPrompt()
        .says('I will work.')
        .runs('echo hello; echo problem >&2')
        .writes('notes/list.txt', 'one\ntwo\nthree\n')
        .readsFile('notes/list.txt')
        .edits('notes/list.txt', 'two', '2')
        .runs('exit 3')
        .runs("printf '\\n \\n  in\\n\\n'")
        .runs("printf '\\n  out\\n'; exit 4")
        .says('Done.'),
    ],
    calls: [[...SKIP_PERMISSIONS, 'work']],
  },
  {
    id: 'denied tool',
    rules: [
      onAnyPrompt()
        .writes('a.txt', 'x')
        .runs('touch b.txt')
        .runs('python3 -c 1')
        .runs('ls')
        .says('I could not.'),
    ],
    calls: [[...STREAM, 'work']],
  },
  {
    id: 'accepted edits',
    rules: [onAnyPrompt().writes('a.txt', 'x\n').runs('touch b.txt').runs('python3 -c 1').says('Half done.')],
    calls: [[...STREAM, '--permission-mode', 'acceptEdits', 'work']],
  },
  {
    id: 'permission rules',
    rules: [onAnyPrompt().runs('git init -q .').runs('rm x').writes('a.txt', 'x').says('Done.')],
    calls: [[...STREAM, '--allowedTools=Bash(git *),Write', '--disallowedTools=Bash(rm *)', 'work']],
  },
  {
    id: 'API error',
    hasOwnWords: true,
    rules: [onAnyPrompt().fails({ type: 'server-error' })],
    calls: [
      [...STREAM, 'go'],
      ['--print', 'go'],
    ],
  },
  {
    id: 'API error: credentials',
    hasOwnWords: true,
    rules: [onAnyPrompt().refusesCredentials()],
    calls: [[...STREAM, 'go']],
  },
  {
    id: 'API error: too many requests',
    hasOwnWords: true,
    rules: [onAnyPrompt().fails({ type: 'rate-limit', retryAfterSeconds: 1 })],
    calls: [[...STREAM, 'go']],
  },
  {
    id: 'resume',
    rules: [
      onPrompt('login')
        .says('Please enter your username:')
        .followedBy(onAnyPrompt().says('Password:'), onAnyPrompt().says('Welcome.')),
    ],
    calls: [
      [...STREAM, '--session-id', SESSION, 'login'],
      [...STREAM, '--resume', SESSION, 'alfred'],
      [...STREAM, '--resume', SESSION, 'secret'],
      [...STREAM, '--session-id', SESSION, 'again'],
      [...STREAM, '--resume', '11111111-1111-4111-8111-111111111111', 'nobody'],
    ],
  },
  {
    id: 'unknown slash command',
    rules: [onAnyPrompt().says('There is no such command.')],
    calls: [[...STREAM, '/nosuch thing'], { args: [...STREAM, '/help'], refused: '/help' }],
  },
  {
    id: 'hook block',
    rules: [onAnyPrompt().says('Hello.')],
    calls: [[...STREAM, ...hooks('UserPromptSubmit', 'echo no way >&2; exit 2'), 'go']],
  },
  {
    id: 'hook block of a tool',
    rules: [onAnyPrompt().runs('echo hi').says('Blocked.')],
    calls: [[...SKIP_PERMISSIONS, ...hooks('PreToolUse', 'echo not today >&2; exit 2', 'Bash'), 'go']],
  },
  {
    id: 'hook that sends the agent back',
    rules: [onPrompt('Stop hook feedback').says('Now I am done.'), onAnyPrompt().says('I stop here.')],
    calls: [
      [...STREAM, ...hooks('Stop', 'test -e sent && exit 0; touch sent; echo go on >&2; exit 2'), 'go'],
    ],
  },
  {
    id: 'turn limit',
    rules: [onAnyPrompt().runs('ls').says('Never said.')],
    calls: [{ args: [...STREAM, '--max-turns', '1', 'go'], refused: '--max-turns' }],
  },
  {
    id: 'plugin command',
    rules: [onPrompt(/Explore the (\w+) now/).says('Exploring {{1}}.')],
    calls: [[...STREAM, '--plugin-dir', 'plug', '/loop:explore the cave']],
    files: {
      'plug/.claude-plugin/plugin.json': JSON.stringify({ name: 'loop', version: '1.0.0', description: 'd' }),
      'plug/commands/explore.md': '---\ndescription: Explores\n---\nExplore $ARGUMENTS now.\n',
    },
  },
  {
    id: 'modes that do not ask',
    rules: [
      onAnyPrompt()
        .writes('a.txt', 'x')
        .runs('ls')
        .runs('python3 -c 1')
        .readsFile('have.txt')
        .says('That was all.'),
    ],
    calls: [
      [...STREAM, '--permission-mode', 'dontAsk', 'work'],
      [...STREAM, '--permission-mode', 'plan', 'work'],
    ],
    files: { 'have.txt': 'one\ntwo' },
  },
  {
    id: 'files outside the workspace',
    rules: [
      onAnyPrompt()
        .runs('cat /etc/hostname')
        .runs('touch /etc/ralph-e2e-compared.txt')
        .readsFile('/etc/hostname')
        .writes('/etc/ralph-e2e-compared.txt', 'x')
        .says('I could not.'),
    ],
    calls: [[...STREAM, 'work']],
  },
  {
    id: 'file tools outside the workspace',
    rules: [
      onAnyPrompt()
        .readsFile('/etc/hostname')
        .writes('/etc/ralph-e2e-compared.txt', 'x')
        .edits('/etc/ralph-e2e-compared.txt', 'a', 'b')
        .says('I could not.'),
    ],
    calls: [[...STREAM, '--permission-mode', 'acceptEdits', 'work']],
  },
  {
    id: 'a file that the agent wrote, and may not read',
    rules: [onAnyPrompt().writes('a.txt', 'one').writes('a.txt', 'two').says('Written.')],
    calls: [[...STREAM, '--permission-mode', 'acceptEdits', '--disallowedTools=Read', 'work']],
  },
  {
    id: 'a file outside the workspace that is there',
    rules: [onAnyPrompt().writes('/proc/version', 'x').says('I could not.')],
    calls: [{ args: [...STREAM, '--permission-mode', 'acceptEdits', 'work'], refused: 'may not be read' }],
  },
  {
    id: 'tools that fail',
    rules: [
      onAnyPrompt()
        .readsFile('nosuch.txt')
        .edits('nosuch.txt', 'a', 'b')
        .edits('have.txt', 'three', '3')
        .edits('have.txt', 'o', '0')
        .runs('nosuchcommand')
        .calls('Nope', {})
        .says('Nothing worked.'),
    ],
    calls: [[...SKIP_PERMISSIONS, 'work']],
    files: { 'have.txt': 'one\ntwo\n' },
  },
  {
    id: 'a tool without its input',
    rules: [onAnyPrompt().calls('Bash', {}).says('Nothing worked.')],
    calls: [{ args: [...SKIP_PERMISSIONS, 'work'], refused: 'this input of Bash' }],
  },
  {
    id: 'no shell',
    rules: [
      onAnyPrompt()
        .calls('Bash', { command: 'echo hi' })
        .calls('Glob', { pattern: '**/*.txt' })
        .calls('Grep', { pattern: 'one', output_mode: 'count' })
        .says('Found.'),
    ],
    calls: [{ args: [...STREAM, '--disallowedTools=Bash', 'work'], refused: 'the tool Glob' }],
    files: { 'd/have.txt': 'one\ntwo one\n' },
  },
  {
    id: 'hooks in the stream',
    rules: [onAnyPrompt().runs('echo hi').says('Done.')],
    calls: [
      [
        ...[...SKIP_PERMISSIONS, '--include-hook-events'],
        ...hooks('PreToolUse', 'echo pre'),
        ...['--', 'go'],
      ],
      [...STREAM, ...hooks('SessionStart', 'echo started'), 'go'],
    ],
  },
  {
    id: 'partial messages',
    rules: [onAnyPrompt().runs('ls').says('Hello.')],
    calls: [{ args: [...STREAM, '--include-partial-messages', 'go'], refused: '--include-partial-messages' }],
  },
  {
    id: 'mistakes in the call',
    rules: [onAnyPrompt().says('Hello.')],
    calls: [
      { args: ['--print', '--frobnicate', 'go'], refused: '--frobnicate' },
      { args: ['--print', '--output-format', 'stream-json', 'go'], refused: 'without --verbose' },
      ['--print'],
      { args: ['--print', '--permission-mode', 'accept-edits', 'go'], refused: 'accept-edits' },
      { args: ['--print', '--session-id', 'abc', 'go'], refused: '--session-id abc' },
    ],
  },
];
