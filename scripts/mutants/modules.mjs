// Which modules of Ralph each area of its promises depends on.

/**
 * The modules on which a promise to a user depends, with their area. Left out: what only decorates the screen, the TUI,
 * bots, the web, ACP, the tutorial, benchmarks and test support. A list of rules gives functions another area; null
 * leaves them out.
 * @type {Record<string, string | [RegExp, string | null][]>}
 */
const MODULES = {
  'ralph-core/src/config.rs': [
    [/is_telegram|is_web|resolve_bot_token|resolve_api_url|prefix/, null],
    [/hook/i, 'hooks'],
    [/./, 'config'],
  ],
  'ralph-core/src/event_logger.rs': 'history',
  'ralph-core/src/event_parser.rs': [
    [/promise|completion/, 'completion'],
    [/evidence|Backpressure|quality|verification|build|review|report|mutation/i, 'gates'],
    [/./, 'routing'],
  ],
  'ralph-core/src/event_reader.rs': 'routing',
  'ralph-core/src/file_lock.rs': 'loops',
  'ralph-core/src/git_ops.rs': 'landing',
  'ralph-core/src/handoff.rs': 'landing',
  'ralph-core/src/hat_registry.rs': 'hats',
  'ralph-core/src/hatless_ralph.rs': [
    [/mermaid/, null],
    [/wave/, 'waves'],
    [/robot/, 'human'],
    [/./, 'prompt'],
  ],
  'ralph-core/src/instructions.rs': 'prompt',
  'ralph-core/src/landing.rs': 'landing',
  'ralph-core/src/loop_completion.rs': 'landing',
  'ralph-core/src/loop_context.rs': 'loops',
  'ralph-core/src/loop_history.rs': 'history',
  'ralph-core/src/loop_lock.rs': 'loops',
  'ralph-core/src/loop_registry.rs': 'loops',
  'ralph-core/src/memory.rs': 'memories',
  'ralph-core/src/memory_parser.rs': 'memories',
  'ralph-core/src/memory_store.rs': 'memories',
  'ralph-core/src/merge_queue.rs': [
    [/button|steering|summary/, null],
    [/./, 'loops'],
  ],
  'ralph-core/src/preflight.rs': [
    [/telegram/, null],
    [/hook/, 'hooks'],
    [/./, 'config'],
  ],
  'ralph-core/src/preset_source.rs': 'presets',
  'ralph-core/src/skill.rs': 'skills',
  'ralph-core/src/skill_registry.rs': 'skills',
  'ralph-core/src/summary_writer.rs': 'history',
  'ralph-core/src/task.rs': 'tasks',
  'ralph-core/src/task_store.rs': 'tasks',
  'ralph-core/src/text.rs': 'prompt',
  'ralph-core/src/wave_detection.rs': 'waves',
  'ralph-core/src/wave_prompt.rs': 'waves',
  'ralph-core/src/wave_tracker.rs': 'waves',
  'ralph-core/src/worktree.rs': 'loops',
  'ralph-core/src/diagnostics/agent_output.rs': 'diagnostics',
  'ralph-core/src/diagnostics/errors.rs': 'diagnostics',
  'ralph-core/src/diagnostics/hook_runs.rs': 'hooks',
  'ralph-core/src/diagnostics/mod.rs': 'diagnostics',
  'ralph-core/src/diagnostics/orchestration.rs': 'diagnostics',
  'ralph-core/src/event_loop/loop_state.rs': [
    [/required/, 'completion'],
    [/./, 'limits'],
  ],
  'ralph-core/src/event_loop/mod.rs': [
    [/robot_service|robot_shutdown|checkin|format_duration|observer|audit_file/, null],
    [/exit_code|as_str|is_success|termination_status/, 'exit-codes'],
    [/check_termination|stale/, 'limits'],
    [/completion|cancellation|verify_/, 'completion'],
    [/human|robot|guidance|user_prompt|prompt_id|restart/, 'human'],
    [/resume|loop_state|sync_event_reader|last_terminate/, 'continue'],
    [/task/, 'tasks'],
    [/memories|skill/, 'skills'],
    [/exhaust|activation|default_publishes|hat_backend|hat_publishes/, 'hats'],
    [/mutation|warn_on/, 'gates'],
    [/prompt|prepend|format_event|scratchpad/, 'prompt'],
    [/hook/, 'hooks'],
    [/./, 'routing'],
  ],
  'ralph-core/src/hooks/engine.rs': 'hooks',
  'ralph-core/src/hooks/executor.rs': 'hooks',
  'ralph-core/src/hooks/suspend_state.rs': 'hooks',
  'ralph-cli/src/config_resolution.rs': 'config',
  'ralph-cli/src/hooks.rs': 'hooks',
  'ralph-cli/src/init.rs': 'presets',
  'ralph-cli/src/loop_runner.rs': [
    [/acp|tui|robot|planning|format_|on_text|on_tool|on_error|emit_delta|preview|last_commit/i, null],
    [/wave|worker/i, 'waves'],
    [/hook|suspend|retry|blocking|metadata|mutation|phase/, 'hooks'],
    [/merge/, 'loops'],
    [/termination|terminate|stop_requested/, 'exit-codes'],
    [/prompt/, 'prompt'],
    [/pty|stream|normalize|backend|tokens|context_window/, 'adapters'],
    [/events|emit/, 'routing'],
    [/./, 'flags'],
  ],
  'ralph-cli/src/loops.rs': [
    [/colorize|truncate|shorten|format_age|button|attach|review|rebase|push|remote|git|branch/, null],
    [/./, 'loops'],
  ],
  'ralph-cli/src/main.rs': [
    [/tutorial|tui|color|panic|print|completions|directory_contents|plan_command|code_task|tty/, null],
    [/emit/, 'emit'],
    [/resume/, 'continue'],
    [/events/, 'history'],
    [/init|preset/, 'presets'],
    [/config|preflight/, 'config'],
    [/./, 'flags'],
  ],
  'ralph-cli/src/memory.rs': [
    [/color|truncate|print/, null],
    [/./, 'memories'],
  ],
  'ralph-cli/src/preflight.rs': [
    [/print/, null],
    [/hat/, 'hats'],
    [/preset/, 'presets'],
    [/./, 'config'],
  ],
  'ralph-cli/src/presets.rs': 'presets',
  'ralph-cli/src/skill_cli.rs': 'skills',
  'ralph-cli/src/task_cli.rs': [
    [/color|truncate|print/, null],
    [/./, 'tasks'],
  ],
  'ralph-cli/src/tools.rs': 'flags',
  'ralph-cli/src/wave.rs': 'waves',
  'ralph-adapters/src/auto_detect.rs': 'adapters',
  'ralph-adapters/src/claude_stream.rs': 'adapters',
  'ralph-adapters/src/cli_backend.rs': [
    [/codex|copilot|gemini|amp|roo|acp|pi|interactive/, null],
    [/./, 'adapters'],
  ],
  'ralph-adapters/src/cli_executor.rs': 'adapters',
  'ralph-adapters/src/pty_executor.rs': [
    [/ctrl|interactive|observe|tui/i, null],
    [/./, 'adapters'],
  ],
  'ralph-proto/src/event.rs': 'routing',
  'ralph-proto/src/event_bus.rs': 'routing',
  'ralph-proto/src/hat.rs': 'hats',
  'ralph-proto/src/topic.rs': 'routing',
};

/** The modules that mechanical mutants are drawn from. */
export const DRAWN_FROM = Object.keys(MODULES);

/** The backends of Ralph that mutants do not run on. */
const OTHER_BACKENDS = /"(?:codex|copilot|gemini|amp|roo|pi|kiro-acp)"/;

/**
 * The area of a change in a function; null if no promise depends on it.
 * @param {string} file
 * @param {string} name
 * @param {string} [what]
 * @returns {string | null}
 */
export function areaOf(file, name, what = '') {
  const rules = OTHER_BACKENDS.test(what) ? undefined : MODULES[file];
  if (rules === undefined) return null;
  if (typeof rules === 'string') return rules;
  return rules.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
