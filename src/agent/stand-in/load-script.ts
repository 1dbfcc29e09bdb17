import type { AgentScript } from '../../domain/agent-script.js';
import { FORMATS } from '../../domain/common/formats.js';
import { isMapping } from '../../domain/common/json-lines.js';
import { isCompiledScript } from '../script/compiled-script.js';
import { readTextFile } from '../script/read-text.js';

/**
 * Loads a script, either compiled by the harness or in any format that people write. The parsers of those formats load
 * only on demand, because a run starts the stand-ins hundreds of times with compiled scripts.
 */
export async function loadScript(path: string | undefined): Promise<AgentScript> {
  if (path === undefined) {
    throw new Error(
      'no agent script was given: expected its path in RALPH_E2E_AGENT_SCRIPT (or in `ralph-e2e sim --script F`)',
    );
  }
  const compiled = path.endsWith('.json') ? readCompiled(path) : null;
  if (compiled !== null) return compiled;
  const { loadScriptFile } = await import('../script/load.js');
  return (await loadScriptFile(path)).script;
}

/** Only tells a compiled script from handwritten JSON: it was validated when it was written. */
function readCompiled(path: string): AgentScript | null {
  try {
    const script: AgentScript = JSON.parse(readTextFile(path));
    const isWhole = script.format === FORMATS.agentScript.format && isCompiledScript(script);
    return isWhole && script.rules.every(isWholeRule) && isWholeDefault(script.default) ? script : null;
  } catch {
    // A missing or broken file: the parser below reports it.
    return null;
  }
}

/** Whether a rule has what the engine needs. A script that somebody changed since goes to the parser, which names mistakes. */
function isWholeRule(rule: unknown): boolean {
  return isMapping(rule) && Array.isArray(rule.turns) && [rule, ...rule.turns].every(isWholeAnswer);
}

function isWholeAnswer(part: unknown): boolean {
  return isMapping(part) && isMapping(part.when) && hasSteps(part.respond);
}

function isWholeDefault(answer: unknown): boolean {
  return answer === undefined || hasSteps(answer);
}

function hasSteps(answer: unknown): boolean {
  return isMapping(answer) && Array.isArray(answer.steps);
}
