import { BACKEND_FACTS } from '../../../domain/backends.js';

/** What Claude Code reports about itself at the start of every turn, as the imitated version prints it. */
export const VERSION = BACKEND_FACTS.claude.imitates.split(' ')[0] ?? '';

/** The tools of a call without servers. */
export const TOOL_NAMES = [
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

export const AGENTS = ['claude', 'Explore', 'general-purpose', 'Plan', 'statusline-setup'];

export const BUILTIN_PLUGINS = ['cc-plugin-agents-md', 'cc-plugin-privacy', 'cc-plugin-plugin-authoring'].map(
  (name) => ({ name, path: 'builtin', source: `${name}@builtin` }),
);

/** Resolves a short model name. */
export function resolveModel(name: string | undefined): string {
  if (name === undefined || name === 'default') return DEFAULT_MODEL;
  return ['opus', 'sonnet', 'haiku'].includes(name) ? `claude-${name}-5-5` : name;
}

const DEFAULT_MODEL = 'claude-opus-5-5';
