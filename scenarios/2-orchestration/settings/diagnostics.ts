import {
  type Check,
  completed,
  errandAnswered,
  loop,
  onObjective,
  promptContained,
  scenario,
  without,
} from '../../../src/authoring.js';
import { MECHANICS } from '../../support/commands.js';
import { answersOf, askAll, type Inquiries } from '../../support/inquiries.js';
import { ignoresCompletion } from '../../support/saboteurs.js';

/* What Ralph writes down about itself. No model is needed for it. Git lists and searches the files. */

const ASKED: Inquiries = {
  otherValue: {
    args: ['run', '--no-tui', '-p', 'x'],
    in: 'off',
    env: { RALPH_DIAGNOSTICS: 'true' },
    answer: { exitCode: 2, stdout: /^(?=[\s\S]* INFO .*I'm Ralph)/ },
  },
  emit: { args: ['emit', 'some.event'], in: 'emitting', answer: { stdout: /Event emitted: some\.event/ } },
  logInFile: {
    args: ['run', '-p', 'x'],
    in: 'logs',
    env: { RALPH_DIAGNOSTICS: null },
    answer: { exitCode: 2, stdout: /^(?![\s\S]* INFO )[\s\S]*ITERATION 1/ },
  },
};

const git = (command: string) => ({ git: command.split(' ') });
const FILES = 'ls-files -c -o -- .ralph/diagnostics';
const ORCHESTRATION = 'grep --no-index -h -o "iteration":.* -- .ralph/diagnostics/*/orchestration.jsonl';
const PROMPTS = 'grep --no-index -h -o ^#.Iteration.*$ -- .ralph/diagnostics/*/prompt-log.md';
const TRACE =
  'grep --no-index -h -o "level":"INFO","target":"ralph::loop_runner" -- .ralph/diagnostics/*/trace.jsonl';
const OFF = 'ls-files -o -- off emitting';
const LOGS = 'status -s -- logs/.ralph/diagnostics';
const LOGGED = 'grep --no-index -h -o I.m.Ralph -- logs/.ralph/diagnostics/logs';
const EARLIER = [OFF, LOGS, LOGGED];
const LATER = [FILES, ORCHESTRATION, PROMPTS, TRACE];

const ONCE = 'cli: { backend: custom, command: "true" }\nevent_loop: { max_iterations: 1 }\n';

const diagnostics = scenario({
  id: 'diagnostics',
  ...MECHANICS,
  description:
    'On request, Ralph records its prompts and decisions; otherwise only its log, of which it keeps five',
  covers: ['FR4'],
  expectedIterations: 2,

  arrange: ({ nonce }) => ({
    config: loop({ maxIterations: 4 }),
    prompt: [
      `In the first iteration, run \`ralph emit build.done "${nonce}"\` and stop: this tests that Ralph refuses it.`,
      'When build.blocked is pending, declare the objective complete.',
    ].join('\n'),
    files: {
      'off/ralph.yml': ONCE,
      'emitting/.ralph/kept': '',
      'logs/ralph.yml': ONCE,
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((day) => [
          `logs/.ralph/diagnostics/logs/ralph-2020-01-0${day}T00-00-00-000-1.log`,
          '',
        ]),
      ),
    },
    before: [...askAll(ASKED), ...EARLIER.map(git)],
    after: LATER.map(git),
  }),

  expect: (): Readonly<Record<string, Check>> => ({
    ends: completed(),
    blocked: promptContained(/^Event: build\.blocked - /m),
    // Ralph names a folder after the second, twice in a run: two folders share the files if the second changes between.
    files: errandAnswered(FILES, {
      stdout: new RegExp(
        `^${[
          'errors.jsonl',
          'hook-runs.jsonl',
          'orchestration.jsonl',
          'performance.jsonl',
          'prompt-log.md',
          'trace.jsonl',
        ]
          .map(
            (name) =>
              `(?=[\\s\\S]*\\.ralph/diagnostics/\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d/${name.replace('.', '\\.')}\\n)`,
          )
          .join('')}`,
      ),
    }),
    orchestration: errandAnswered(ORCHESTRATION, {
      stdout:
        /^"iteration":1,.*"type":"iteration_started"[\s\S]*"iteration":1,.*"type":"hat_selected","hat":"ralph"[\s\S]*"iteration":(\d),.*"type":"backpressure_triggered","reason":"[^"]+"[\s\S]*"iteration":(?!0|\1)\d,.*"type":"iteration_started"[\s\S]*"iteration":[2-4],.*"type":"loop_terminated","reason":"completion_\w+"/,
    }),
    prompts: errandAnswered(PROMPTS, { stdout: /^# Iteration 1 — ralph\n# Iteration 2 — ralph\n/ }),
    trace: errandAnswered(TRACE, { stdout: /"level":"INFO"/ }),
    off: errandAnswered(OFF, { stdout: /^(?![\s\S]*diagnostics)[\s\S]*off\/\.ralph\/events/ }),
    logs: errandAnswered(LOGS, {
      stdout:
        /^ D logs\/\.ralph\/diagnostics\/logs\/ralph-2020-01-01\S+\n D logs\/\S+ralph-2020-01-02\S+\n\?\? logs\/\S+\/ralph-(?!2020-01)\S+\.log\n$/,
    }),
    logged: errandAnswered(LOGGED, { stdout: /I'm Ralph/ }),
    ...answersOf(ASKED),
  }),

  agent: [
    onObjective(/run `ralph emit build\.done "(\w+)"`/)
      .once()
      .emits('build.done', '{{1}}'),
    onObjective(/declare the objective complete/).completes(),
  ],

  saboteurs: {
    'Ralph writes no diagnostics': {
      target: 'no-diagnostics',
      kills: ['files', 'orchestration', 'prompts', 'trace'],
    },
    'nothing is refused': { agent: without('emits'), kills: ['blocked', 'orchestration'] },
    'Ralph does not see the promise': ignoresCompletion('ends'),
  },
});

export const diagnosing = [diagnostics];
