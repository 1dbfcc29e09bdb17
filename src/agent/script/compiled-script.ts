import type { AgentScript } from '../../domain/agent-script.js';
import { isMapping } from '../../domain/common/json-lines.js';

/** A script and the notes from loading it. */
export interface LoadedScript {
  readonly script: AgentScript;
  readonly notes: readonly string[];
}

/** Whether data is a script compiled by the harness, maybe with mistakes. A handwritten one has `on` in its rules, and verbs as keys of steps. */
export function isCompiledScript(data: unknown): boolean {
  if (!isMapping(data) || !('format' in data) || !Array.isArray(data.rules)) return false;
  const [rule]: readonly unknown[] = data.rules;
  if (isMapping(rule)) return 'when' in rule || 'respond' in rule;
  if (!('default' in data)) return true;
  const { default: answer } = data;
  if (!isMapping(answer) || !Array.isArray(answer.steps)) return false;
  return answer.steps.every((step: unknown) => isMapping(step) && 'do' in step);
}
