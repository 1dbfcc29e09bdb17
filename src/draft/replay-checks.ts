import type { FolderFacts } from './folder/facts.js';
import { nameCheck, quoteText, writeFields } from './source.js';

/** A check of a draft: its name in the scenario, and the function and arguments that make it. */
export interface DraftedCheck {
  readonly key: string;
  readonly call: string;
  readonly args: readonly unknown[];
  /** The kind of step that the check observes; `loop` means Ralph itself. */
  readonly sees: 'loop' | 'prompt' | 'emits';
}

const MAX_TOPICS = 40;
const MAX_PAYLOAD = 200;
const MAX_CHECKS = 12;

/** Lists checks that expect what the run showed. */
export function listChecks(facts: FolderFacts): DraftedCheck[] {
  const checks: DraftedCheck[] = [];
  const add = (name: string, sees: DraftedCheck['sees'], call: string, ...args: readonly unknown[]) =>
    checks.push({ key: nameCheck(name, new Set(checks.map(({ key }) => key))), call, args, sees });
  addLoop(facts, add);
  const topics = facts.events.map(({ topic }) => topic);
  if (topics.length > 0) add('events', 'emits', 'eventsInOrder', ...topics.slice(0, MAX_TOPICS));
  const checked = new Set<string>();
  for (const { topic, payload, whole } of facts.events) {
    if (!whole || payload === null || payload === '' || payload.length > MAX_PAYLOAD || checked.has(topic))
      continue;
    if (checked.size < MAX_CHECKS) add(topic, 'emits', 'eventEmitted', topic, payload);
    checked.add(topic);
  }
  return checks;
}

function addLoop(
  { termination, iterations, prompt }: FolderFacts,
  add: (name: string, sees: DraftedCheck['sees'], call: string, ...args: readonly unknown[]) => void,
): void {
  if (termination === null || termination.reason === 'completed') add('ends', 'loop', 'completed');
  else add('ends', 'loop', 'terminatedBecause', termination.reason, termination.exitCode ?? 2);
  const [line = ''] = prompt.split('\n');
  add('asked', 'prompt', 'promptContained', line.trim().slice(0, 120), { iteration: 1 });
  const hats = iterations.flatMap(({ hat }) => hat?.id ?? []);
  // With a single incomplete iteration these checks could never fail: the count is 1 whatever Ralph does.
  if (termination === null || (iterations.length === 1 && termination.reason !== 'completed')) return;
  const routed = hats.length === iterations.length && hats.some((hat) => hat !== 'ralph');
  // Without hats, an honest agent may take more iterations than the one in this run.
  if (termination.reason === 'completed' && !routed) add('iterations', 'loop', 'endedAtOnce');
  else add('iterations', 'loop', 'iterationCount', iterations.length);
  if (routed) add('hats', 'loop', 'hatSequence', ...hats);
}

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
