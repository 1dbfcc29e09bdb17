import { BACKEND_FACTS } from '../../../domain/backends.js';

/** What Claude Code reports about itself at the start of every turn, as the imitated version prints it. */
export const VERSION = BACKEND_FACTS.claude.imitates.split(' ')[0] ?? '';

const TOOLS = [
  ...['Task', 'Bash', 'CronCreate', 'CronDelete', 'CronList', 'Edit', 'EnterWorktree', 'ExitWorktree'],
  ...[
    'ListAgents',
    'Monitor',
    'NotebookEdit',
    'Read',
    'ReportFindings',
    'ScheduleWakeup',
    'SendMessage',
    'Skill',
  ],
  ...['TaskStop', 'ToolSearch', 'WebFetch', 'WebSearch', 'Workflow', 'Write'],
];

/** Every tool that a call can have. */
export const TOOL_NAMES = [...TOOLS, 'Glob', 'Grep'];

export const SKILLS = [
  ...['deep-research', 'dataviz', 'update-config', 'verify', 'debug', 'code-review', 'simplify', 'batch'],
  ...['fewer-permission-prompts', 'doctor', 'loop', 'claude-api', 'workflow-authoring', 'run'],
  ...['run-skill-generator', 'plugin-authoring'],
];

/** Commands that Claude Code runs itself, without the model. */
export const LOCAL_COMMANDS = [
  ...[
    'agents',
    'auto-mode-setup',
    'autocompact',
    'clear',
    'color',
    'compact',
    'config',
    'output-style',
    'context',
  ],
  ...[
    'effort',
    'fast',
    'focus',
    'heapdump',
    'init',
    'mcp',
    'model',
    '__remote-workflow',
    'workflow-launch-exec',
  ],
  ...['reload-plugins', 'reload-skills', 'rename', 'security-review', 'usage', 'insights', 'recap', 'goal'],
  ...['list-agents', 'team-onboarding'],
];

/** Built-in commands that are prompts for the model. */
export const PROMPT_COMMANDS = ['init', 'security-review', 'insights', 'recap', 'goal', 'team-onboarding'];

/** Commands of the interactive screen; in print mode it reports them as unavailable. */
export const SCREEN_COMMANDS = [
  ...[
    'help',
    'login',
    'logout',
    'resume',
    'theme',
    'hooks',
    'permissions',
    'memory',
    'ide',
    'status',
    'exit',
  ],
  ...[
    'quit',
    'vim',
    'bug',
    'export',
    'terminal-setup',
    'plugin',
    'add-dir',
    'rewind',
    'statusline',
    'upgrade',
  ],
];

export const TERMINAL_COMMANDS = ['doctor', 'color', 'focus', 'reload-plugins'];

export const AGENTS = ['claude', 'Explore', 'general-purpose', 'Plan', 'statusline-setup'];

export const BUILTIN_PLUGINS = ['cc-plugin-agents-md', 'cc-plugin-privacy', 'cc-plugin-plugin-authoring'].map(
  (name) => ({ name, path: 'builtin', source: `${name}@builtin` }),
);

export const CAPABILITIES = [
  ...[
    'interrupt_receipt_v1',
    'interrupt_cancel_queued_v1',
    'interrupt_send_now_v1',
    'interrupt_requeue_taken_v1',
  ],
  ...['msg_lifecycle_v1', 'request_marker_lists_v1', 'ask_user_question_unanswered_v1'],
  ...[
    'lifecycle_wakeup_source_v1',
    'sdk_mcp_tools_list_changed',
    'sdk_mcp_manifests',
    'mcp_read_resource_v1',
  ],
  ...[
    'mcp_tool_ui_meta_v1',
    'ui_surface_v1',
    'mcp_call_result_not_for_model_v1',
    'mcp_call_check_permissions_v1',
  ],
  ...[
    'voice_call_talk_line_v1',
    'withdrawn_files_note_v2',
    'ui_pane_widget_v1',
    'reload_plugins_refuse_if_busy_v1',
  ],
];

/** Claude Code offers its own search tools only if there is no shell to search with. */
export function availableTools(disallowed: readonly string[]): string[] {
  const names = disallowed.includes('Bash')
    ? [...TOOLS.filter((name) => name !== 'Bash' && name !== 'Monitor'), 'Glob', 'Grep'].sort(byRealOrder)
    : TOOLS;
  return names.filter((name) => !disallowed.includes(name));
}

function byRealOrder(one: string, other: string): number {
  if (one === 'Task' || other === 'Task') return one === 'Task' ? -1 : 1;
  return one < other ? -1 : 1;
}
