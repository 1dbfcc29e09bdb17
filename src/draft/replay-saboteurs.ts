import type { FolderFacts } from './folder/facts.js';
import type { DraftedCheck } from './replay-checks.js';
import { quoteText, writeValue } from './source.js';

/** What breaks each sort of check while others hold. */
export function listSaboteurs(facts: FolderFacts, checks: readonly DraftedCheck[]): string[] {
  const seeing = (...parts: readonly DraftedCheck['sees'][]) =>
    checks.filter(({ sees }) => parts.includes(sees)).map(({ key }) => key);
  const notesByVerb = facts.iterations.some(({ steps }) => steps.some((step) => step.do === 'note'));
  const completed = facts.termination?.reason === 'completed';
  const [only] = facts.iterations;
  const loop = completed || only === undefined || facts.iterations.length > 1 ? seeing('loop') : ['ends'];
  return [
    write(
      'Ralph gets another prompt',
      `config: (arranged) => ({ ...arranged, prompt: 'Say hello.' })`,
      seeing('prompt'),
      'PromptIneffective',
    ),
    completed || facts.termination === null
      ? write(
          'Ralph does not see that the work is done',
          `target: 'ignore-completion'`,
          loop,
          'UnexpectedTermination',
        )
      : write('Ralph ends too early', `target: 'complete-too-early'`, loop, 'UnexpectedTermination'),
    write('the agent emits nothing', `agent: without('emits')`, seeing('emits'), 'EventMissing'),
    write(
      'the agent writes nothing',
      `agent: without('writes', 'appends')`,
      [...seeing('writes'), ...(notesByVerb ? [] : seeing('notes'))],
      'PromptIneffective',
    ),
    write(
      'the agent notes nothing',
      `agent: without('notes')`,
      notesByVerb ? seeing('notes') : [],
      'PromptIneffective',
    ),
    write('the agent runs no command', `agent: without('runs')`, seeing('runs'), 'PromptIneffective'),
  ].flatMap((saboteur) => saboteur ?? []);
}

function write(name: string, change: string, kills: readonly string[], failure: string): string | null {
  if (kills.length === 0) return null;
  const indent = '      ';
  return [
    `    ${quoteText(name)}: {`,
    `${indent}${change},`,
    `${indent}kills: ${writeValue([...kills], indent)},`,
    `${indent}failure: ${quoteText(failure)},`,
    '    }',
  ].join('\n');
}
