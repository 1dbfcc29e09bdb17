import type { AgentScript } from '../../domain/agent-script.js';

/** A script and the notes from loading it. */
export interface LoadedScript {
  readonly script: AgentScript;
  readonly notes: readonly string[];
}

/** Whether JSON is a script compiled by the harness rather than a handwritten one. */
export function isCompiledScript(data: unknown): boolean {
  if (!isObject(data) || !('format' in data) || !('rules' in data) || !Array.isArray(data.rules))
    return false;
  const rules: readonly unknown[] = data.rules;
  return (
    rules.every((rule) => isObject(rule) && 'when' in rule && 'respond' in rule) && hasCompiledDefault(data)
  );
}

/** A handwritten default is a string, or has steps with verbs as keys. */
function hasCompiledDefault(data: object): boolean {
  if (!('default' in data)) return true;
  const { default: answer } = data;
  if (!isObject(answer) || !('steps' in answer) || !Array.isArray(answer.steps)) return false;
  const steps: readonly unknown[] = answer.steps;
  return steps.every((step) => isObject(step) && 'do' in step);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
