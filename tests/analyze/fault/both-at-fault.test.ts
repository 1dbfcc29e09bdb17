import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { catalogue } from '../../../scenarios/index.js';
import { readPlays } from '../../../scripts/plays/store.mjs';
import { assignFault } from '../../../src/analyze/fault/assign.js';
import { attemptFinishedSchema, plannedSchema } from '../../../src/domain/attempt.js';
import type { CheckResult } from '../../../src/domain/check.js';
import type { Evidence, ToolCall } from '../../../src/domain/evidence/evidence.js';
import { viewRun } from '../../../src/domain/evidence/run-view.js';
import { allChecks, judge } from '../../../src/run/attempt/judge.js';

/* Attempts in which Ralph breaks a promise and the agent does something else than it was asked: made from the kept plays. */

const playSchema = z.object({
  name: z.string(),
  fault: z.string(),
  planned: plannedSchema,
  attempt: attemptFinishedSchema,
});
type Play = z.infer<typeof playSchema>;

const FILES = readPlays(fileURLToPath(new URL('plays', import.meta.url)));

function playsIn(name: string): Play[] {
  return z.array(playSchema).parse(FILES.get(name) ?? []);
}

const TARGET = { kind: 'real', path: '/opt/ralph', version: '2.10.1' } as const;

function judged({ planned, attempt }: Play, evidence: Evidence): readonly CheckResult[] {
  const scenario = catalogue.find(({ id }) => id === planned.scenarioId);
  const { drawn, backend } = attempt;
  if (scenario === undefined || drawn === undefined) throw new Error('the play is outdated: remove it');
  const context = { ...drawn, backend, lane: 'live' } as const;
  return judge(scenario, allChecks(scenario, context), evidence, { target: TARGET, lane: 'live' }).checks;
}

function whose({ planned }: Play, evidence: Evidence, checks: readonly CheckResult[]): string {
  return assignFault({ checks, evidence, excused: planned.knownIssue?.breaks ?? [] }).whose;
}

function evidenceOf({ attempt }: Play): Evidence {
  if (attempt.evidence === null) throw new Error('a play has evidence');
  return attempt.evidence;
}

/** Replaces a text in all that the agent wrote and said, and in the files that came of it. */
function respell(evidence: Evidence, text: string, wrong: string): Evidence {
  const inJson = (one: string) => JSON.stringify(one).slice(1, -1);
  return {
    ...evidence,
    iterations: evidence.iterations.map((one) => ({
      ...one,
      said: one.said.replaceAll(text, wrong),
      toolCalls: one.toolCalls.map((call) => ({
        ...call,
        input: call.input.replaceAll(inJson(text), inJson(wrong)),
      })),
    })),
    files: evidence.files.map((file) =>
      file.change === 'unchanged' ? file : { ...file, preview: file.preview.replaceAll(text, wrong) },
    ),
  };
}

it('an agent with one wrong sign is not called at fault for what a broken Ralph did', () => {
  const blamed: string[] = [];
  let tried = 0;
  for (const play of playsIn('target.jsonl')) {
    const evidence = evidenceOf(play);
    for (const { kind, key, about = {} } of judged(play, evidence).filter(({ passed }) => passed)) {
      const text = about.text?.trim() ?? '';
      if (!['fileEquals', 'agentSaid'].includes(kind) || text.length < 4) continue;
      const wrong = respell(evidence, text, `${text.slice(0, -1)}~`);
      const checks = judged(play, wrong);
      if (checks.find((check) => check.key === key)?.passed !== false) continue;
      tried++;
      if (whose(play, wrong, checks) !== 'target') blamed.push(`${play.name}: ${key}`);
    }
  }
  expect(blamed).toEqual([]);
  expect(tried).toBeGreaterThan(30);
});

/** What a broken Ralph does besides: each changes the evidence of an attempt in which the agent deviated. */
const BREAKS: Readonly<Record<string, (evidence: Evidence) => Evidence>> = {
  'changes the type of a memory': (evidence) => ({
    ...evidence,
    memories: evidence.memories.map((memory) =>
      memory.type === 'context' ? { ...memory, type: 'fix' } : memory,
    ),
  }),
  'lists no memories': (evidence) => ({
    ...evidence,
    errands: evidence.errands.map((one) => (one.command.includes('list') ? { ...one, stdout: '[]' } : one)),
  }),
  'puts the instructions of all hats into every prompt': (evidence) =>
    withPrompts(
      evidence,
      (prompt) =>
        `${prompt}\n${[...evidence.configYaml.matchAll(/instructions: (?:[>|]-?\s*)?\n?\s*([^\n]+)/g)].map(([, text]) => text).join('\n')}`,
    ),
  'does not say which guidance is open': (evidence) =>
    withPrompts(evidence, (prompt) => prompt.replaceAll('human.guidance message(s) remain', 'messages')),
  'does not say which events are missing': (evidence) =>
    withPrompts(evidence, (prompt) => prompt.replaceAll('missing required events', 'x')),
  'prints another end': (evidence) => ({
    ...evidence,
    stdout: { ...evidence.stdout, text: evidence.stdout.text.replaceAll('Loop terminated: ', '$&Not ') },
  }),
};

function withPrompts(evidence: Evidence, change: (prompt: string) => string): Evidence {
  return {
    ...evidence,
    iterations: evidence.iterations.map((one) => ({
      ...one,
      prompt: one.prompt === null ? null : change(one.prompt),
    })),
  };
}

it.each(Object.keys(BREAKS))('a Ralph that %s is at fault, whatever the agent did', (name) => {
  const results = playsIn('live.jsonl')
    .filter(({ fault, attempt }) => fault === 'agent' && attempt.evidence?.conversation === undefined)
    .flatMap((play) => {
      const broken = BREAKS[name]?.(evidenceOf(play)) ?? evidenceOf(play);
      const before = judged(play, evidenceOf(play));
      const checks = judged(play, broken);
      // A prompt of another length is no other failure.
      const isNew = ({ key, passed, actual, category }: CheckResult) => {
        const old = before.find((one) => one.key === key);
        return !passed && (old?.passed === true || (category !== 'PromptContent' && old?.actual !== actual));
      };
      return checks.some(isNew) ? [{ name: play.name, whose: whose(play, broken, checks) }] : [];
    });
  expect(results.filter((one) => one.whose !== 'target')).toEqual([]);
  expect(results.length).toBeGreaterThan(0);
});

/** What a broken Ralph may have led an agent to: each changes what it sent or kept in a play in which it led nobody. */
const MISLEADS: readonly (readonly [string, string, (evidence: Evidence) => Evidence])[] = [
  [
    'gives a hat an event that nobody published',
    'hat-scratchpad: takes both steps in one iteration',
    (evidence) =>
      withPrompts(evidence, (prompt) =>
        prompt.replace(/^Event: dive.request/m, 'Event: dive.again - up\n$&'),
      ),
  ],
  [
    'gives a hat the instructions of another',
    'hat-scratchpad: takes both steps in one iteration',
    (evidence) => {
      const keeper = viewRun(evidence)?.hats.find(({ id }) => id === 'keeper');
      return withPrompts(evidence, (prompt) => prompt + keeper?.instructions);
    },
  ],
  [
    'leaves an event out of its guide',
    'hat-scratchpad: takes both steps in one iteration',
    (evidence) => withPrompts(evidence, (prompt) => prompt.replace(/^- `dive.over`.*\n/m, '')),
  ],
  [
    'shows a memory besides the one that was asked for',
    'memory-show: writes a sentence instead of the word',
    (evidence) => withCalls(evidence, (call) => ({ ...call, result: `${call.result} mem-1700000832-0413` })),
  ],
  [
    'shows a memory with other words',
    'memory-show: writes a sentence instead of the word',
    (evidence) =>
      withCalls(evidence, (call) => ({
        ...call,
        result: call.result?.replace('The door', 'A door') ?? null,
      })),
  ],
  [
    'stores a memory with another type than it was given',
    'memory-skill: stores another type and a tag',
    (evidence) => ({ ...evidence, memories: evidence.memories.map((one) => ({ ...one, type: 'decision' })) }),
  ],
  [
    'stores a memory with other tags than it was given',
    'memory-skill: stores another type and a tag',
    (evidence) => ({ ...evidence, memories: evidence.memories.map((one) => ({ ...one, tags: [] })) }),
  ],
  [
    'takes back what was written to a file',
    'pressure-complexity: leaves out two of six steps',
    (evidence) =>
      withCalls(evidence, (call) => ({
        ...call,
        input: call.input.replace(/head -3/, 'sed -i s/open/counted/'),
      })),
  ],
];

function withCalls(evidence: Evidence, change: (call: ToolCall) => ToolCall): Evidence {
  return {
    ...evidence,
    iterations: evidence.iterations.map((one) => ({ ...one, toolCalls: one.toolCalls.map(change) })),
  };
}

it.each(MISLEADS)('a Ralph that %s may have misled the agent', (_, name, mislead) => {
  const play = playsIn('live.jsonl').find((one) => one.name === name);
  if (play === undefined) throw new Error(`no play is named ${name}`);
  const evidence = evidenceOf(play);
  const misled = mislead(evidence);
  expect(misled).not.toEqual(evidence);
  expect(whose(play, evidence, judged(play, evidence))).toBe('agent');
  expect(whose(play, misled, judged(play, misled))).toBe('target');
});
