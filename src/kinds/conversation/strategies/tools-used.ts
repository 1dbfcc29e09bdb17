import { isTool, type NamedCall } from '../stages/tool-class.js';

export interface ToolsResult<Call extends NamedCall> {
  readonly passed: boolean;
  readonly tools_used: readonly string[];
  readonly tools_missing: readonly string[];
  readonly tool_details: readonly Call[];
  readonly details: string;
}

/**
 * Tests whether a turn used the expected tools. A tool is named by its class, its name or the end of an MCP tool's
 * name.
 */
export function assertToolsUsed<Call extends NamedCall>(
  calls: readonly Call[],
  expected: readonly string[],
  { requireAll = false }: { readonly requireAll?: boolean } = {},
): ToolsResult<Call> {
  const matching = calls.filter((call) => expected.some((wanted) => isTool(call, wanted)));
  const missing = expected.filter((wanted) => !calls.some((call) => isTool(call, wanted)));
  const used = calls.map(({ name }) => name);
  const passed = expected.length > 0 && (requireAll ? missing.length === 0 : matching.length > 0);
  return {
    passed,
    tools_used: used,
    tools_missing: missing,
    tool_details: matching,
    details: `used: ${used.join(', ') || 'none'}${missing.length === 0 ? '' : `; missing: ${missing.join(', ')}`}`,
  };
}
