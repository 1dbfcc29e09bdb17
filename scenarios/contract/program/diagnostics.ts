import type { Promises } from '../../../src/authoring.js';

export const diagnostics: Promises = {
  'only-on-request': {
    promise: 'Ralph writes diagnostics only with RALPH_DIAGNOSTICS=1.',
    source: 'ralph-core/src/diagnostics/mod.rs: DiagnosticsCollector::new',
    heldBy: { diagnostics: ['off', 'otherValue'] },
  },
  'session-folder': {
    promise:
      'A run has its own folder .ralph/diagnostics/<date>T<time>/ with orchestration, errors, performance, hook-runs, trace and the prompt log.',
    source: 'ralph-core/src/diagnostics/mod.rs: DiagnosticsCollector::with_enabled',
    heldBy: { diagnostics: ['files'] },
  },
  'prompt-log': {
    promise: 'prompt-log.md has the exact prompt of each iteration under its number and hat.',
    source: 'ralph-core/src/diagnostics/mod.rs: log_prompt',
    heldBy: { diagnostics: ['prompts', 'blocked'] },
  },
  orchestration: {
    promise:
      'orchestration.jsonl has a record for each iteration, hat, published event and the end, with its reason.',
    source: 'ralph-core/src/event_loop/mod.rs: process_output; ralph-core/src/diagnostics/orchestration.rs',
    heldBy: { diagnostics: ['orchestration'] },
  },
  backpressure: {
    promise: 'orchestration.jsonl records a refused event with the reason.',
    source: 'ralph-core/src/event_loop/mod.rs: process_events_from_jsonl',
    heldBy: { diagnostics: ['orchestration'] },
  },
  trace: {
    promise: "trace.jsonl has Ralph's own log messages with level and source.",
    source: 'ralph-core/src/diagnostics/trace_layer.rs: DiagnosticTraceLayer',
    heldBy: { diagnostics: ['trace'] },
  },
  'only-for-runs': {
    promise: 'Commands that run no loop (emit, tools, events) create no diagnostics folder.',
    source: 'ralph-cli/src/main.rs: is_diagnostics_eligible_command',
    heldBy: { diagnostics: ['off', 'emit'] },
  },
  'log-on-stdout': {
    promise:
      "With --no-tui or -a, Ralph's log is on stdout: information and warnings, and with -v debug messages.",
    source: 'ralph-cli/src/main.rs: main',
    about: ['flag --verbose'],
    heldBy: { diagnostics: ['otherValue'], 'run-verbosity': ['plain', 'verbose'] },
  },
  'log-file': {
    promise:
      'Without --no-tui and -a, the log is in .ralph/diagnostics/logs/ralph-<time>-<pid>.log and not on stdout.',
    source: 'ralph-core/src/diagnostics/log_rotation.rs: create_log_file',
    heldBy: { diagnostics: ['logInFile', 'logged'] },
  },
  'log-rotation': {
    promise: 'At most five such files are kept: the oldest go.',
    source: 'ralph-core/src/diagnostics/log_rotation.rs: rotate_logs',
    heldBy: { diagnostics: ['logs'] },
  },
};
