/** Whether JSON is a script as the harness compiles it, and not one that somebody wrote by hand. */
export function isCompiledScript(data: unknown): boolean {
  if (!isObject(data) || !('version' in data) || !('rules' in data) || !Array.isArray(data.rules))
    return false;
  const rules: readonly unknown[] = data.rules;
  return (
    rules.every((rule) => isObject(rule) && 'when' in rule && 'respond' in rule) && hasCompiledDefault(data)
  );
}

/** A default can be written as a text, or with steps that have verbs for keys. */
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
