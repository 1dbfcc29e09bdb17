import type { Condition } from '../../domain/agent-script.js';
import { describePattern } from '../engine/match.js';

const PATTERNS = [
  { key: 'objective', words: 'objective' },
  { key: 'memories', words: 'memories' },
  { key: 'systemPrompt', words: 'system prompt' },
  { key: 'earlier', words: 'earlier prompt' },
  { key: 'toolResult', words: 'tool result' },
  { key: 'model', words: 'model' },
  { key: 'cwd', words: 'cwd' },
  { key: 'session', words: 'session' },
] as const;

/** Names a rule after its condition. */
export function nameRule(when: Condition): string {
  const parts = [
    when.hat === undefined ? [] : [`hat ${when.hat}`],
    when.event === undefined ? [] : [`event ${when.event}`],
    when.coordinating === undefined ? [] : [when.coordinating ? 'no hat' : 'any hat'],
    when.turn === undefined ? [] : [`turn ${when.turn}`],
    when.flags ?? [],
    (when.prompt ?? []).map((pattern) => `prompt ${describePattern(pattern)}`),
    PATTERNS.flatMap(({ key, words }) => {
      const pattern = when[key];
      return pattern === undefined ? [] : [`${words} ${describePattern(pattern)}`];
    }),
  ].flat();
  return `on ${parts.length === 0 ? 'any prompt' : parts.join(', ')}`;
}
