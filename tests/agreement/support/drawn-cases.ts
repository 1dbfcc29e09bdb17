import { type Arbitrary, array, constantFrom, oneof, record, sample, subarray } from 'fast-check';
import { catalogue } from '../../../scenarios/index.js';
import { RuleBuilder } from '../../../src/agent/builder.js';
import { isToolStep } from '../../../src/agent/engine/planned-answers.js';
import type { Step } from '../../../src/domain/agent-script.js';
import type { StandInCase } from './stand-in-cases.js';

/** What needs Ralph, waits, or answers differently each time, such as the name of a commit. */
const NOT_COMPARED = /ralph|RALPH|kill|sleep|seq|curl|\bgit (?:commit|stash|merge)\b/;

/** The tools that agents of the catalogue use, with a word in place of what they read from their prompts. */
const STEPS: readonly Step[] = catalogue
  .flatMap(({ agent }) => agent.rules)
  .flatMap(({ respond, turns }) => [respond, ...turns.map((turn) => turn.respond)])
  .flatMap(({ steps }) => steps)
  .filter((step) => isToolStep(step) && step.do !== 'tool' && step.do !== 'emit' && step.do !== 'note')
  .map((step): Step => JSON.parse(JSON.stringify(step).replaceAll(/\{\{[^{}]*\}\}/g, 'seven')))
  .filter((step) => step.do !== 'run' || !NOT_COMPARED.test(step.command));

/** Ralph's calls, those of conversations, and those of an author who limits what the agent may do. */
const OPTIONS: readonly (readonly string[])[] = [
  ['--dangerously-skip-permissions'],
  ['--dangerously-skip-permissions', '--disallowedTools=Bash(rm *),Edit(PLAN.md)'],
  ['--permission-mode', 'acceptEdits'],
  ['--permission-mode', 'acceptEdits', '--allowedTools=Bash(git *),Bash(python3 *)'],
  ['--permission-mode', 'acceptEdits', '--disallowedTools=Bash(git *),Read(PLAN.md)'],
  ['--permission-mode', 'dontAsk', '--allowedTools=Bash(cat *),Read,Write'],
  ['--permission-mode', 'plan'],
  [],
];

/** The files that a step looks for. */
function filesFor(step: Step): readonly (readonly [string, string])[] {
  switch (step.do) {
    case 'read':
      return [[step.path, 'one\ntwo\n']];
    case 'edit':
      return [[step.path, `before\n${step.old}\nafter\n`]];
    case 'write':
    case 'append':
      return [[step.path, 'what was there\n']];
    case 'run':
      return [...step.command.matchAll(/[\w/]+\.(?:txt|md|json|py)\b/g)].map(([path]) => [path, 'a line\n']);
    default:
      return [];
  }
}

/** Draws cases from what the scripts of the catalogue contain. The same seed draws the same cases. */
export function drawCases(count: number, seed: number): StandInCase[] {
  const kinds = ['write', 'append', 'edit', 'read', 'run', 'run'] as const;
  const step: Arbitrary<Step> = oneof(
    ...kinds.map((kind) => constantFrom(...STEPS.filter((known) => known.do === kind))),
  );
  const drawn = record({
    steps: array(step, { minLength: 1, maxLength: 4 }),
    options: constantFrom(...OPTIONS),
    there: subarray([0, 1, 2, 3]),
  });
  return sample(drawn, { numRuns: count, seed }).map(({ steps, options, there }, index) => {
    const files = Object.fromEntries(there.flatMap((at) => steps.slice(at, at + 1)).flatMap(filesFor));
    const respond = { steps: [...steps, { do: 'say', text: 'Done.' } as const] };
    return {
      id: `case ${index + 1}: ${steps.map((one) => one.do).join(', ')} with ${options.join(' ') || 'no options'}`,
      rules: [new RuleBuilder({ name: 'drawn', when: {}, respond, turns: [] })],
      calls: [['--print', '--verbose', '--output-format', 'stream-json', ...options, '--', 'work']],
      files: { 'here.txt': 'here\n', ...files },
    };
  });
}
