import type { FolderFacts } from './folder/facts.js';
import type { DraftedCheck } from './replay-checks.js';
import { quoteText, writeFields } from './source.js';

/** Lists saboteurs that break one kind of check while others still pass. */
export function listSaboteurs(facts: FolderFacts, checks: readonly DraftedCheck[]): string[] {
  const seeing = (part: DraftedCheck['sees']) =>
    checks.filter(({ sees }) => sees === part).map(({ key }) => key);
  const endsEarly = facts.termination !== null && facts.termination.reason !== 'completed';
  return [
    {
      name: 'Ralph gets another prompt',
      change: "config: (arranged) => ({ ...arranged, prompt: 'Say hello.' })",
      kills: seeing('prompt'),
      failure: 'PromptIneffective',
    },
    {
      name: endsEarly ? 'Ralph completes too early' : 'Ralph ignores the completion',
      change: `target: '${endsEarly ? 'complete-too-early' : 'ignore-completion'}'`,
      kills: seeing('loop'),
      failure: 'UnexpectedTermination',
    },
    {
      name: 'the agent emits nothing',
      change: "agent: without('emits')",
      kills: seeing('emits'),
      failure: 'EventMissing',
    },
  ]
    .filter(({ kills }) => kills.length > 0)
    .map(({ name, change, kills, failure }) => {
      const fields = [change, `kills: [${kills.map(quoteText).join(', ')}]`];
      return writeFields(quoteText(name), [...fields, ...(failure ? [`failure: '${failure}'`] : [])], '    ');
    });
}
