/**
 * Variables that agents set for the programs they start. Variables such as `CODEX_HOME` are not in the list: they are
 * the user's own settings and say nothing about the caller.
 */
const AGENT_VARIABLES = [
  'AI_AGENT',
  'AUGMENT_AGENT',
  'CLAUDECODE',
  'CLINE_ACTIVE',
  'CODEX_CI',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GOOSE_TERMINAL',
  'OPENCODE',
  'PI_CODING_AGENT',
  'QWEN_CODE',
] as const;

/** Whether an agent, not a person, started this program. An empty value, 0 and false mean no. */
export function isCalledByAgent(env: Readonly<Record<string, string | undefined>>): boolean {
  return AGENT_VARIABLES.some((name) => !['', '0', 'false'].includes((env[name] ?? '').toLowerCase()));
}
