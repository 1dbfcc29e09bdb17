import { BACKEND_FACTS } from '../../../domain/backends.js';

/** What Claude Code reports about itself at the start of every turn, as the imitated version prints it. */
export const VERSION = BACKEND_FACTS.claude.imitates.split(' ')[0] ?? '';

const wordsOf = (text: string) => text.trim().split(/\s+/);

/** The tools of a call without servers. */
export const TOOL_NAMES = wordsOf(`
  Task Bash CronCreate CronDelete CronList Edit EnterWorktree ExitWorktree ListAgents Monitor NotebookEdit Read
  ReportFindings ScheduleWakeup SendMessage Skill TaskStop ToolSearch WebFetch WebSearch Workflow Write`);

/** The program's own commands and skills, by every name that they answer to. Only the program itself runs them. */
export const OWN_COMMANDS: ReadonlySet<string> = new Set(
  wordsOf(`
    __remote-workflow add-dir agents auto-mode-setup autocompact batch bug checkup claude-api clear code-review color
    compact config context cost dataviz debug deep-research doctor effort exit export fast fewer-permission-prompts
    focus goal heapdump help hooks ide init insights list-agents login logout loop mcp memory model name new
    output-style peers permissions plugin plugin-authoring proactive quit recap reload-plugins reload-skills rename
    reset resume review rewind run run-skill-generator security-review settings simplify stats status statusline
    team-onboarding terminal-setup theme update-config upgrade usage verify vim workflow-authoring
    workflow-launch-exec`),
);

/** Resolves a short model name. */
export function resolveModel(name: string | undefined): string {
  if (name === undefined || name === 'default') return DEFAULT_MODEL;
  return ['opus', 'sonnet', 'haiku'].includes(name) ? `claude-${name}-5-5` : name;
}

const DEFAULT_MODEL = 'claude-opus-5-5';
