import type { AgentScript, Invocation, MatchPlace } from '../../domain/agent-script.js';
import { describePlace } from './engine.js';

/** What is asked of a recorded call: an `Invocation`, or the like of another face. */
export type CoveredCall = Pick<Invocation, 'place' | 'outcome' | 'detail'>;

/** What a script and the calls that it was played to leave open. */
export interface Coverage {
  /** Of each prompt that nothing answered, the explanation. */
  readonly unanswered: readonly string[];
  /** Rules that were never entered and turns that were never reached. */
  readonly unused: readonly Unused[];
}

interface Unused {
  readonly place: Exclude<MatchPlace, { kind: 'default' }>;
  /** `response[0].turn[1]` */
  readonly where: string;
  /** The name of the rule. */
  readonly rule: string;
}

/** Tells which prompts matched nothing, and which rules and turns were never used. */
export function coverage(script: AgentScript, calls: readonly CoveredCall[]): Coverage {
  const used = new Set(calls.flatMap(({ place }) => (place === null ? [] : [describePlace(place)])));
  const places = script.rules.flatMap(({ name, turns }, rule): Omit<Unused, 'where'>[] => [
    { place: { kind: 'rule', rule }, rule: name },
    ...turns.map((_, turn): Omit<Unused, 'where'> => ({ place: { kind: 'turn', rule, turn }, rule: name })),
  ]);
  return {
    unanswered: calls
      .filter(({ outcome }) => outcome === 'no-match')
      .map(({ detail }) => detail ?? 'a prompt that no rule answers'),
    unused: places
      .map((about) => ({ ...about, where: describePlace(about.place) }))
      .filter(({ where }) => !used.has(where)),
  };
}

/** The coverage in lines for people; none when nothing is open. */
export function describeCoverage({ unanswered, unused }: Coverage): string[] {
  return [
    ...unanswered.map((detail) => `not answered: ${detail}`),
    ...unused.map(({ where, rule }) => `never used: ${where} (${rule})`),
  ];
}
