import type { CheckResult } from '../../../../domain/check.js';
import { awaitedEvent, topicsOf } from '../../../../domain/diagnosis/check-facts.js';
import type { Evidence } from '../../../../domain/evidence/evidence.js';

/** The commands whose work a check looks at: the one that it names, or those by which agents published its events. */
export function commandsBehind(check: CheckResult, evidence: Evidence | null): string[] {
  if (evidence === null) return [];
  const { kind, about = {} } = check;
  if (kind === 'errandAnswered' || kind === 'memoriesListed') return (about.names ?? []).slice(0, 1);
  const topics = [...topicsOf(check), awaitedEvent(check)?.topic ?? ''].filter((topic) => topic !== '');
  if (topics.length === 0) return [];
  const calls = evidence.iterations.flatMap(({ toolCalls }) =>
    toolCalls.flatMap(({ input }) => input.match(/ralph (?:wave )?emit [^\n;&|]*/g) ?? []),
  );
  return calls
    .filter((call) => topics.some((topic) => ` ${call} `.includes(` ${topic} `)))
    .map((call) => call.replace(/^ralph /, ''));
}
