import type { AgentScript, Invocation, MatchPlace } from '../../domain/agent-script.js';
import { describePlace } from './engine.js';

/** The part of a recorded call that coverage needs. */
export type CoveredCall = Pick<Invocation, 'place' | 'outcome' | 'detail'>;

/** Prompts without an answer, and parts of the script without a prompt. */
export interface Coverage {
  /** One explanation per prompt that nothing answered. */
  readonly unanswered: readonly string[];
  /** Rules that never matched and turns that were never reached. */
  readonly unused: readonly Unused[];
}

interface Unused {
  readonly place: Exclude<MatchPlace, { kind: 'default' }>;
  /** `response[0].turn[1]` */
  readonly where: string;
  readonly rule: string;
}

/** Finds prompts that matched nothing, and rules and turns that were never used. */
export function coverage(script: AgentScript, calls: readonly CoveredCall[]): Coverage {
  const used = new Set(calls.flatMap(({ place }) => (place === null ? [] : [describePlace(place)])));
  const places = script.rules.flatMap(({ name, turns }, rule): Omit<Unused, 'where'>[] => [
    { place: { kind: 'rule', rule }, rule: name },
    ...turns.map((_, turn): Omit<Unused, 'where'> => ({ place: { kind: 'turn', rule, turn }, rule: name })),
  ]);
  return {
    unanswered: calls
      .filter(({ outcome }) => outcome === 'no-match')
      .map(({ detail }) => detail ?? 'a prompt that no rule answered'),
    unused: places
      .map((about) => ({ ...about, where: describePlace(about.place) }))
      .filter(({ where }) => !used.has(where)),
  };
}

/** Renders coverage as lines; none if every prompt was answered and every rule used. */
export function describeCoverage({ unanswered, unused }: Coverage): string[] {
  return [
    ...unanswered.map((detail) => `not answered: ${detail}`),
    ...unused.map(({ where, rule }) => `never used: ${where} (${rule})`),
  ];
}
