import type { AgentScript } from '../../domain/agent-script.js';
import { isMapping } from '../../domain/common/json-lines.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { RuleBuilder } from '../builder.js';
import type { LoadedScript } from './compiled-script.js';
import { loadScriptFile, loadScriptObject } from './load.js';
import type { ScriptContent } from './native/schema.js';

/** Where a program gets a script from: the path of a file, its content as an object, or rules from the builder. */
export type ScriptSource = string | ScriptContent | AgentScript | readonly RuleBuilder[];

/** Loads a script from any source. Errors name the key of each mistake. */
export async function loadScriptSource(source: ScriptSource): Promise<LoadedScript> {
  if (typeof source === 'string') return loadScriptFile(source);
  if (Array.isArray(source)) return loadScriptObject({ format: 1, rules: source.map(toRule) });
  if (isMapping(source)) return loadScriptObject(source);
  throw new KnownError(`Expected a script, found ${source === null ? 'null' : typeof source}.`, {
    hint: 'Pass the path of a script file, an object with `rules`, or rules such as `onPrompt("hi").says("Hello")`.',
  });
}

function toRule(builder: unknown, index: number): unknown {
  if (isMapping(builder) && isMapping(builder.rule)) return builder.rule;
  throw new KnownError(`rules[${index}]: expected a rule from the builder, found ${typeof builder}.`, {
    hint: 'Rules start with `onPrompt`, `onAnyPrompt`, `onHat`, `onEvent` or `onObjective`.',
  });
}
