import {
  agentSaid,
  completed,
  fileEquals,
  loop,
  onObjective,
  type Saboteur,
  type Scenario,
  type ScenarioDefinition,
  scenario,
} from '../../../src/authoring.js';
import type { Proof } from '../../../src/domain/proof/proof.js';
import type { Sabotage } from '../../../src/domain/scenario/saboteur.js';
import { runProve } from '../../../src/harness/prove.js';
import { tempFolder } from '../../support/cli.js';

/** A small scenario that the stand-in passes: a word in capitals, said and written. */
export function shout(fields: Partial<ScenarioDefinition> = {}): Scenario {
  return scenario({
    id: 'shout',
    backend: 'claude',
    tier: 2,
    priority: 'should',
    phase: 'green',
    description: 'The agent shouts',
    covers: ['FR4'],
    arrange: ({ nonce }) => ({
      config: loop({ maxIterations: 2 }),
      prompt: `Shout ${nonce} twice: say it in uppercase, and write it to shout.txt.`,
    }),
    expect: ({ nonce }) => [
      completed(),
      agentSaid(nonce.toUpperCase()),
      fileEquals('shout.txt', nonce.toUpperCase()),
    ],
    agent: [
      onObjective(/Shout (\w+) twice/)
        .says('{{upper 1}}')
        .writes('shout.txt', '{{upper 1}}\n')
        .completes(),
    ],
    ...fields,
  });
}

/** A saboteur with what a test is not about filled in. */
export function breaking(what: Sabotage, ...kills: string[]): Saboteur {
  return { ...what, kills, failure: 'PromptIneffective' };
}

/** Proves scenarios on the stand-in. */
export async function prove(
  catalogue: readonly Scenario[],
  options: Partial<Parameters<typeof runProve>[0]> = {},
): Promise<{ proof: Proof; output: string; events: string[] }> {
  const output = options.output ?? tempFolder();
  const events: string[] = [];
  const { proof } = await runProve({
    catalogue,
    backends: ['claude', 'kiro', 'opencode'],
    lane: 'sim',
    filters: [],
    sorts: ['agent', 'config', 'target'],
    variants: false,
    ralph: 'embedded',
    jobs: undefined,
    passEnv: [],
    harnessVersion: '0.1.0',
    env: process.env,
    signal: new AbortController().signal,
    onStart: ({ scenarios, target }) => events.push(`start ${scenarios} on ${target.kind}`),
    onEvent: (event) =>
      events.push(
        event.type === 'run-finished'
          ? `${event.done}/${event.total} ${event.what}`
          : `end ${event.proof.id}`,
      ),
    ...options,
    output,
  });
  return { proof, output, events };
}

/** Reasons for all built-in saboteurs but these, so that a test runs only what it is about. */
export function onlyBuiltIn(...names: string[]): NonNullable<ScenarioDefinition['notApplicable']> {
  const all = [
    'does-nothing',
    'parrot',
    'claims-success',
    'acts-silently',
    'wrong-place',
    'after-the-deadline',
    'leftovers',
    'silent-ralph',
  ];
  return Object.fromEntries(
    all.filter((name) => !names.includes(name)).map((name) => [name, 'not in this test']),
  );
}
