import { parse } from 'yaml';
import * as z from 'zod';
import type { Evidence } from '../../domain/evidence/evidence.js';
import type { Execution } from '../../domain/report/analysis.js';

/** A difference between fewer tests may be chance. */
const FEWEST = 3;
const MOST_LINES = 3;

/** Returns what all failed tests have and no passed test, with the numbers. */
export function contrast(failed: readonly Execution[], passed: readonly Execution[]): string[] {
  const red = failed.filter(hasEvidence);
  const green = passed.filter(hasEvidence);
  if (red.length < FEWEST || green.length < FEWEST) return [];
  return traitsApart(red, green)
    .slice(0, MOST_LINES)
    .map((trait) => `${trait}: ${red.length} failed, 0 passed; otherwise: 0 failed, ${green.length} passed`);
}

/** What every red one has and no green one. Looks only as far as something is left: parsing 10,000 configurations takes seconds. */
function traitsApart([first, ...others]: readonly Execution[], green: readonly Execution[]): string[] {
  if (first === undefined) return [];
  let left = [...traitsOfLast(first)];
  for (const other of others) {
    if (left.length === 0) return [];
    const traits = traitsOfLast(other);
    left = left.filter((trait) => traits.has(trait));
  }
  for (const other of green) {
    if (left.length === 0) return [];
    const traits = traitsOfLast(other);
    left = left.filter((trait) => !traits.has(trait));
  }
  return left;
}

function hasEvidence({ attempts }: Execution): boolean {
  return Boolean(attempts.at(-1)?.evidence);
}

function traitsOfLast({ attempts, backend }: Execution): ReadonlySet<string> {
  const evidence = attempts.at(-1)?.evidence;
  return new Set([`runs on ${backend}`, ...(evidence ? traitsOf(evidence) : [])]);
}

/** What a test uses of Ralph and of its backend, as short phrases. */
function traitsOf(evidence: Evidence): string[] {
  const { command, configYaml, iterations, events, memories, tasks } = evidence;
  const emitted = events.filter(({ source }) => source === 'agent');
  return [
    ...command.filter((word) => /^-{1,2}[a-zA-Z]/.test(word)).map((flag) => `is called with ${flag}`),
    ...settingsIn(configYaml).map((setting) => `sets ${setting}`),
    ...(iterations.length > 1 ? ['has several iterations'] : []),
    ...(iterations.some(({ texts = 1 }) => texts > 1) ? ['has an answer of several text blocks'] : []),
    ...(emitted.length > 0 ? ['has events from an agent'] : []),
    ...(memories.length > 0 ? ['has memories'] : []),
    ...(tasks.length > 0 ? ['has tasks'] : []),
  ];
}

const mapping = z.record(z.string(), z.unknown());

/** The settings in a configuration, as paths. The names of hats and the like do not count: `hats.*.triggers`. */
function settingsIn(yaml: string): string[] {
  let parsed: unknown;
  try {
    parsed = parse(yaml);
  } catch {
    // Some scenarios hand over a file that is no YAML on purpose: it has no settings.
    return [];
  }
  return listPaths(parsed, []);
}

const NAMED: ReadonlySet<string> = new Set(['hats', 'adapters', 'events']);

function listPaths(value: unknown, path: readonly string[]): string[] {
  const node = mapping.safeParse(value);
  if (!node.success || path.length === 3) return path.length === 0 ? [] : [path.join('.')];
  const isNamed = path.length === 1 && NAMED.has(path[0] ?? '');
  const below = Object.entries(node.data).flatMap(([key, child]) =>
    listPaths(child, [...path, isNamed ? '*' : key]),
  );
  return [...new Set(below)];
}
