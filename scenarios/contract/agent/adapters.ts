import type { BackendId, Promises } from '../../../src/authoring.js';
import { inEach } from '../each-backend.js';

/** The backends whose output is a stream of JSON: each has a promise of its own. */
const STREAMING = ['claude', 'pi'] as const satisfies readonly BackendId[];

export const adapters: Promises = {
  claude: {
    promise:
      'claude gets its prompt on stdin, and exactly the flags for headless streaming, skipped permissions, project settings and disallowed task tools.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::claude',
    about: ['config cli.backend'],
    heldBy: { 'backend-arguments': ['claude'], 'claude-connect': ['said'], 'claude-single-iter': ['file'] },
  },
  kiro: {
    promise: 'kiro-cli is called as `chat --no-interactive --trust-all-tools <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::kiro',
    heldBy: { 'backend-arguments': ['kiro'], 'kiro-connect': ['said'], 'kiro-single-iter': ['file'] },
  },
  opencode: {
    promise: 'opencode is called as `run <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::opencode',
    heldBy: {
      'backend-arguments': ['opencode'],
      'opencode-connect': ['said'],
      'opencode-single-iter': ['file'],
    },
  },
  codex: {
    promise: 'codex is called as `exec --yolo <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::codex',
    heldBy: { 'backend-arguments': ['codex'], 'codex-connect': ['said'], 'codex-single-iter': ['file'] },
  },
  gemini: {
    promise: 'gemini is called as `--yolo -p <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::gemini',
    heldBy: { 'backend-arguments': ['gemini'], 'gemini-connect': ['said'], 'gemini-single-iter': ['file'] },
  },
  pi: {
    promise: 'pi is called as `-p --mode json --no-session <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::pi',
    heldBy: { 'backend-arguments': ['pi'], 'pi-connect': ['said'], 'pi-single-iter': ['file'] },
  },
  amp: {
    promise: 'amp is called as `--dangerously-allow-all -x <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::amp',
    heldBy: { 'backend-arguments': ['amp'] },
  },
  copilot: {
    promise: 'copilot is called as `--allow-all-tools --output-format json -p <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::copilot',
    heldBy: { 'backend-arguments': ['copilot'] },
  },
  forge: {
    promise: 'forge is called as `-p <prompt>`.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::forge',
    heldBy: { 'backend-arguments': ['forge'] },
  },
  roo: {
    promise:
      'roo is called as `--print --ephemeral --prompt-file <file>`, and the file has the prompt, however short.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::roo, build_roo_prompt_file',
    heldBy: { 'backend-arguments': ['roo'] },
  },
  'kiro-acp': {
    promise:
      'kiro-acp talks the Agent Client Protocol with `kiro-cli acp`: a session, a prompt, and the text that comes back.',
    source:
      'ralph-adapters/src/acp_executor.rs: AcpExecutor; ralph-adapters/src/cli_backend.rs: CliBackend::kiro_acp',
    heldBy: { 'kiro-acp': ['ends', 'iterations', 'file'] },
  },
  'custom-argument': {
    promise: 'A custom backend gets cli.args and then the prompt, after cli.prompt_flag if there is one.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::custom, build_command',
    about: ['config cli.prompt_flag', 'config cli.args', 'config cli.prompt_mode'],
    heldBy: { 'backend-arguments': ['customFlag', 'customPlain'], 'custom-connect': ['said'] },
  },
  'custom-stdin': {
    promise: 'A custom backend with prompt_mode: stdin gets the prompt there and not as an argument.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::custom',
    about: ['config cli.prompt_mode'],
    heldBy: { 'custom-single-iter': ['told', 'file'] },
  },
  'command-override': {
    promise: 'cli.command replaces the program of a named backend and keeps its arguments.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::from_config',
    about: ['config cli.command'],
    heldBy: { 'backend-arguments': ['otherProgram'] },
  },
  'configured-args': {
    promise: "cli.args are added to a named backend's own arguments, before the prompt.",
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::from_config',
    about: ['config cli.args'],
    heldBy: { 'backend-arguments': ['configuredArgs', 'argsOfClaude'] },
  },
  'args-order': {
    promise:
      "The order of arguments is the backend's own, cli.args, those after --, the hat's backend_args, the prompt.",
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    about: ['config cli.args', 'config hats.*.backend_args'],
    heldBy: { 'backend-arguments': ['argsAfterDashes', 'strangerAndPlain'] },
  },
  'hat-args': {
    promise: "A hat's backend_args are in its calls and in no other.",
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    about: ['config hats.*.backend_args'],
    heldBy: { 'backend-arguments': ['typed', 'command', 'strangerAndPlain'] },
  },
  'hat-backend-forms': {
    promise: "A hat's backend is a name, a name with args, a kiro agent, or a command of its own.",
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::from_hat_backend',
    about: ['config hats.*.backend'],
    heldBy: { 'backend-arguments': ['typed', 'agent', 'command'] },
  },
  'hat-backend-without-global-args': {
    promise: "A hat with its own backend does not get the loop's cli.args.",
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    about: ['config hats.*.backend', 'config cli.args'],
    heldBy: { 'backend-arguments': ['typed', 'agent', 'command'] },
  },
  'hat-backend-unknown': {
    promise: 'A hat with an unknown backend runs on that of the loop, with a warning.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    about: ['config hats.*.backend'],
    heldBy: { 'backend-arguments': ['hats', 'strangerAndPlain'] },
  },
  'codex-yolo-once': {
    promise:
      'codex gets --yolo once, whatever the configuration adds: an older flag for the same becomes --yolo, and --full-auto goes.',
    source: 'ralph-adapters/src/cli_backend.rs: reconcile_codex_args',
    heldBy: { 'backend-arguments': ['codexOnce'] },
  },
  'short-prompt': {
    promise: 'A prompt of up to 7,000 bytes is an argument as it is.',
    source: 'ralph-adapters/src/cli_backend.rs: build_command',
    heldBy: { 'backend-prompt-delivery': ['sizes'] },
  },
  'long-prompt': {
    promise:
      'A longer prompt is in a temporary file with the whole text, the argument asks to read it, and the file is gone after the run.',
    source: 'ralph-adapters/src/cli_backend.rs: build_command',
    heldBy: {
      'backend-prompt-delivery': ['sizes'],
      'opencode-long-prompt': ['ends', 'iterations', 'file'],
      'opencode-long-prompt-permitted': ['ends', 'iterations', 'file'],
    },
  },
  'auto-order': {
    promise:
      'cli.backend: auto takes the first of claude, kiro, kiro-acp, gemini, codex, forge, amp, copilot, opencode, pi, roo that answers --version with 0.',
    source: 'ralph-adapters/src/auto_detect.rs: detect_backend; ralph-core/src/config.rs: get_agent_priority',
    about: ['config cli.backend'],
    heldBy: {
      'backend-auto': [
        'beforekiro',
        'beforegemini',
        'beforecodex',
        'beforeforge',
        'beforeamp',
        'beforecopilot',
        'beforeopencode',
        'beforepi',
        'beforeroo',
        'beforeNothing',
        'sameProgram',
      ],
    },
  },
  'auto-priority': {
    promise: 'agent_priority replaces that order.',
    source: 'ralph-core/src/config.rs: get_agent_priority',
    about: ['config agent_priority'],
    heldBy: { 'backend-auto': ['priority', 'asked'] },
  },
  'auto-disabled': {
    promise: 'auto leaves out adapters with enabled: false.',
    source: 'ralph-adapters/src/auto_detect.rs: detect_backend',
    about: [
      'config adapters.claude.enabled',
      'config adapters.kiro.enabled',
      'config adapters.gemini.enabled',
      'config adapters.codex.enabled',
      'config adapters.amp.enabled',
    ],
    heldBy: { 'backend-auto': ['disabled', 'sameProgram'] },
  },
  'auto-none': {
    promise: 'If auto finds none, Ralph lists what it looked for and exits with 1.',
    source: 'ralph-adapters/src/auto_detect.rs: NoBackendError',
    about: ['config cli.backend'],
    heldBy: { 'backend-auto': ['none'] },
  },
  'missing-program': {
    promise: 'A backend that is not installed ends the run with exit code 1 and the reason.',
    source: 'ralph-adapters/src/cli_executor.rs: CliExecutor::execute',
    heldBy: { 'backend-unavailable': ['refuses', 'neverCalled'] },
  },
  'unknown-backend': {
    promise: 'A backend that Ralph does not know runs as claude.',
    source: 'ralph-adapters/src/cli_backend.rs: CliBackend::from_config',
    about: ['config cli.backend'],
    heldBy: { 'backend-arguments': ['nonesuch'] },
  },
  'inactivity-timeout': {
    promise:
      'A backend that prints nothing for adapters.<name>.timeout seconds is ended and counts as a failure; each line starts the time anew.',
    source:
      'ralph-adapters/src/cli_executor.rs: CliExecutor::execute; ralph-core/src/config.rs: adapter_settings',
    about: ['config adapters.claude.timeout'],
    heldBy: { 'timeout-handling': ['ends', 'lasts', 'iterations'], 'backend-timeouts': ['chatty'] },
  },
  'timeout-by-backend': {
    promise:
      'The time is that of the backend in use: kiro, gemini, codex and amp have their own, and every other backend has that of claude.',
    source: 'ralph-core/src/config.rs: adapter_settings',
    about: [
      'config adapters.kiro.timeout',
      'config adapters.gemini.timeout',
      'config adapters.codex.timeout',
      'config adapters.amp.timeout',
    ],
    heldBy: { 'backend-timeouts': ['kiro', 'gemini', 'codex', 'amp', 'other', 'hat'] },
  },
  'exit-code': {
    promise:
      'A backend that exits with another code than 0 is a failed iteration, and what it said still counts.',
    source: 'ralph-adapters/src/cli_executor.rs: CliExecutor::execute',
    heldBy: {
      'consecutive-failures': ['ends'],
      'backend-streams': ['plain'],
      'auth-failure': ['ends', 'iterations'],
      'crash-mid-stream': ['ends', 'iterations', 'file'],
      'issue-82-opencode-usable-error': ['ends', 'iterations'],
    },
  },
  'claude-text': {
    promise:
      "Of claude's stream, the text of all assistant messages is what the agent said; tool results and other lines are not.",
    source: 'ralph-cli/src/loop_runner.rs: extract_claude_stream_text; ralph-adapters/src/claude_stream.rs',
    heldBy: {
      'backend-streams': ['claude'],
      'claude-single-iter': ['ends', 'iterations'],
      'claude-tool-use': ['ends', 'iterations'],
      'claude-streaming': ['ends', 'published'],
      'output-flood': ['ends', 'iterations'],
    },
  },
  'pi-text': {
    promise: "Of pi's stream, the joined text deltas are what the agent said; thinking is not.",
    source: 'ralph-cli/src/loop_runner.rs: extract_pi_stream_text; ralph-adapters/src/pi_stream.rs',
    heldBy: { 'backend-streams': ['pi'], 'pi-connect': ['ends'], 'pi-single-iter': ['ends', 'iterations'] },
  },
  'copilot-text': {
    promise:
      "Of copilot's stream, the assistant messages are what the agent said and what Ralph prints; deltas, reasoning and tools are not.",
    source: 'ralph-adapters/src/copilot_stream.rs: CopilotStreamParser',
    heldBy: { 'backend-streams': ['copilot', 'copilotOnTheScreen'] },
  },
  'plain-output': {
    promise:
      'What other backends print is what the agent said, stderr included but marked, and Ralph prints stdout line by line.',
    source: 'ralph-adapters/src/cli_executor.rs: CliExecutor::execute',
    heldBy: {
      'backend-streams': ['plain'],
      'run-verbosity': ['plain', 'verbose'],
      ...inEach('connect', ['ends'], { except: STREAMING }),
      ...inEach('single-iter', ['ends', 'iterations'], { except: STREAMING }),
      'custom-connect': ['ends'],
      'custom-single-iter': ['ends', 'iterations'],
    },
  },
  'output-shown': {
    promise:
      'Ralph reads the output of a backend to its end, and prints every line of it, whole and in order.',
    source: 'ralph-adapters/src/cli_executor.rs: CliExecutor::execute, read_stream',
    heldBy: {
      'output-flood': ['ends', 'iterations', 'printed', 'said'],
      ...inEach('connect', ['said']),
      'claude-completion': ['said'],
      'custom-connect': ['said'],
      'issue-47-completion-string-not-detected': ['saidTheSumIs', 'saidStatus'],
      'hooks-run': ['said'],
      'hooks-block': ['said'],
      preflight: ['said'],
      'init-and-clean': ['said'],
      doctor: ['said'],
      'run-verbosity': ['said'],
      'claude-events': ['ran'],
      'claude-tool-use': ['usedRead', 'usedWrite', 'usedBash', 'said'],
      'claude-streaming': ['said', 'used', 'usage'],
      'hat-instructions': ['said'],
      'issue-139-completion-after-first-event': ['said'],
      'issue-290-kiro-text-completion': ['said'],
      'hat-behavior-not-just-acknowledgment': ['said'],
      'tasks-block-completion': ['closes'],

      'timeout-handling': ['said'],
      'max-runtime': ['said'],
      'stop-file': ['said'],
      'max-cost': ['said'],
      'crash-mid-stream': ['said'],
      'invalid-utf8': ['said'],
      'issue-234-stale-on-legitimate-repeats': ['said'],
      'issue-371-lingering-handoff-is-no-failure': ['said'],
      'issue-369-completion-in-the-last-iteration': ['said'],
    },
  },
  'stray-bytes': {
    promise: 'Bytes that are no text in the output of a backend do not end the loop.',
    source: 'ralph-adapters/src/cli_executor.rs: read_stream',
    heldBy: { 'invalid-utf8': ['ends', 'iterations'] },
  },
  environment: {
    promise:
      'The agent gets RALPH_BIN, RALPH_WORKSPACE_ROOT and RALPH_EVENTS_FILE, the folder of the running ralph first on PATH, and /var/tmp as its temporary folder.',
    source: 'ralph-adapters/src/cli_executor.rs: inject_ralph_runtime_env',
    heldBy: { 'backend-prompt-delivery': ['around'] },
  },
  'emit-from-anywhere': {
    promise: 'An agent that changes its folder still publishes to the loop.',
    source: 'ralph-adapters/src/cli_executor.rs: inject_ralph_runtime_env',
    heldBy: { 'backend-prompt-delivery': ['emitted'] },
  },
  'working-folder': {
    promise: 'The agent runs in the folder in which Ralph was started.',
    source: 'ralph-adapters/src/cli_executor.rs: CliExecutor::execute',
    heldBy: {
      'backend-prompt-delivery': ['around'],
      ...inEach('single-iter', ['file']),
      'claude-tool-use': ['file'],
    },
  },
  'grace-after-event': {
    promise: 'A backend that keeps running after `ralph emit` is ended soon, and the loop goes on.',
    source: 'ralph-adapters/src/cli_executor.rs: POST_EVENT_GRACE_TIMEOUT',
    heldBy: { 'issue-296-backend-lingers-after-completion': ['ends', 'inTime', 'iterations'] },
  },
  'lingering-is-no-failure': {
    promise: 'A backend that Ralph ends because it lingers after its event has not failed.',
    source: 'ralph-adapters/src/cli_executor.rs: CliExecutor::execute',
    heldBy: { 'issue-371-lingering-handoff-is-no-failure': ['ends', 'iterations', 'file'] },
  },
  'interactive-args': {
    promise: 'In an interactive session, backends start without their headless flags.',
    source: 'ralph-adapters/src/cli_backend.rs: filter_args_for_interactive, for_interactive_prompt',
    heldBy: {
      'plan-arguments': [
        'claude',
        'kiro',
        'kiro-acp',
        'opencode',
        'codex',
        'gemini',
        'pi',
        'amp',
        'copilot',
        'forge',
      ],
    },
  },
};
