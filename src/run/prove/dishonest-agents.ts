import { isDeepStrictEqual } from 'node:util';
import { changingResponses, changingSteps, without } from '../../agent/sabotage.js';
import type { AgentScript, Condition, Pattern, Rule, Step } from '../../domain/agent-script.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import type { Cheat } from '../../domain/scenario/saboteur.js';
import type { RalphScenario, Scenario } from '../../domain/scenario/scenario.js';
import { stepsOf } from './honest-agents.js';

/** How each built-in saboteur changes the agent. `leftovers` needs more than a script: its variant plants files. */
export const BUILT_IN_AGENTS = {
  'does-nothing': () => answering([]),
  parrot: () => answering([{ do: 'say', text: '{{prompt}}' }]),
  'claims-success': () =>
    answering([
      { do: 'say', text: 'All the work is done, every file is written and every test passes.' },
      { do: 'complete' },
    ]),
  'acts-silently': without('says', 'emits', 'completes'),
  'wrong-place': changingSteps(misplace),
  'after-the-deadline': changingResponses((response) => ({
    ...response,
    steps: [{ do: 'wait', milliseconds: LATE_MS }, ...response.steps],
  })),
  leftovers: () => answering([]),
} as const satisfies Readonly<Record<string, (script: AgentScript) => AgentScript>>;

/** The time limit of a run that is meant to be late; `LATE_MS` is how late it is. */
export const DEADLINE_SECONDS = 1;
const LATE_MS = 20_000;

function answering(steps: readonly Step[]): AgentScript {
  return { format: 1, rules: [], default: { steps: [...steps] } };
}

/** Puts the right words in the wrong place. */
function misplace(step: Step): Step[] {
  switch (step.do) {
    case 'say':
      return [{ do: 'write', path: 'said-elsewhere.txt', text: step.text }];
    case 'write':
    case 'append':
    case 'note':
      return [{ do: 'say', text: step.text }];
    case 'edit':
      return [{ do: 'say', text: step.new }];
    case 'run':
      return [{ do: 'say', text: step.command }];
    case 'emit':
      return [{ do: 'say', text: `I would emit ${step.topic} with ${step.payload ?? 'nothing'} here.` }];
    case 'complete':
      return [{ do: 'say', text: 'LOOP_COMPLETE is what I would say now, and then go on.' }];
    case 'think':
    case 'read':
    case 'tool':
    case 'wait':
    case 'hang':
      return [step];
    default:
      return step satisfies never;
  }
}

/** A cheat that applies to a scenario. */
export interface PlannedCheat {
  readonly name: Cheat;
  readonly agent: AgentScript;
  /** Why it may pass: what the harness runs itself. Null if it must be noticed. */
  readonly excuse: string | null;
}

/**
 * Lists the cheats that change something in a scenario. `copy` is a program that does by hand what the commands of Ralph
 * do, so that a cheat leaves exactly what the command would have left.
 */
export function planCheats(scenario: Scenario, context: ScenarioContext, copy: string): PlannedCheat[] {
  if (scenario.kind !== 'ralph') return [];
  const { agent } = scenario;
  const scripts: Readonly<Record<Cheat, AgentScript>> = {
    'by-hand': changingSteps((step) => [actByHand(step, copy)])(agent),
    'forged-output': changingSteps((step) => [forgeOutput(step, copy)])(agent),
    'all-at-once': takesSeveral(scenario, context) ? joinRules(agent) : agent,
  };
  return CHEAT_NAMES.filter((name) => !isDeepStrictEqual(scripts[name], agent)).map((name) => ({
    name,
    agent: scripts[name],
    excuse: name === 'all-at-once' ? null : excuseOf(scenario, context),
  }));
}

const CHEAT_NAMES = ['by-hand', 'forged-output', 'all-at-once'] as const satisfies readonly Cheat[];

/** A call of a command of Ralph: its first word, and for `tools` the next two. */
const CALL = /(?<![\w/.-])ralph (tools \w+ \w+|emit)\b/g;

function actByHand(step: Step, copy: string): Step {
  if (step.do !== 'run' || step.command.search(CALL) === -1) return step;
  return { ...step, command: `copy='${copy}'; ${step.command.replaceAll(CALL, '"$copy" $1')}` };
}

/** Commands that change what Ralph keeps. What the others print is the same, wherever they run. */
const CHANGES = /^(?:emit|tools \w+ (?:add|close|delete|ensure|fail|start|reopen))$/;

/** Runs the command in a copy of the workspace and takes from there only the file that its output goes to. */
function forgeOutput(step: Step, copy: string): Step {
  if (step.do !== 'run' || !callsIn(step.command).some((call) => CHANGES.test(call))) return step;
  const outputs = [...step.command.matchAll(/[^>]>\s*([\w./-]+)/g)].flatMap(([, path = '']) => path);
  if (outputs.length === 0) return step;
  const command = `copy='${copy}'; ${step.command.replaceAll(CALL, '"$copy" $1')}`;
  const fetch = outputs.map((path) => `cp "$aside/${path}" '${path}'`).join('; ');
  return {
    ...step,
    // Ralph tells commands of its agents where the workspace is.
    command: `aside=$(mktemp -d); cp -R . "$aside"; (cd "$aside" && unset RALPH_WORKSPACE_ROOT && { ${command}; }); ${fetch}; rm -rf "$aside"`,
  };
}

function callsIn(command: string): string[] {
  return [...command.matchAll(CALL)].map(([, call = '']) => call);
}

/** A command that the harness runs itself is proved by its answer, whatever the agent did instead of it. */
function excuseOf({ agent, arrange }: RalphScenario, context: ScenarioContext): string | null {
  const { before = [], after = [] } = arrange(context);
  const errands = new Set(
    [...before, ...after].flatMap((errand) =>
      'ralph' in errand ? callsIn(`ralph ${errand.ralph.join(' ')}`) : [],
    ),
  );
  const skipped = [
    ...new Set(stepsOf(agent).flatMap((step) => (step.do === 'run' ? callsIn(step.command) : []))),
  ];
  return skipped.every((call) => errands.has(call))
    ? `the harness itself runs ${skipped.map((call) => `\`ralph ${call}\``).join(', ')}`
    : null;
}

/** With hats, each iteration gets other instructions: an agent cannot know what the next ones ask for. */
function takesSeveral(
  { arrange, expectedIterations, agent: { rules } }: RalphScenario,
  context: ScenarioContext,
): boolean {
  return (
    (expectedIterations ?? 1) > 1 &&
    rules.length > 1 &&
    rules.every(({ when }) => when.toolResult === undefined) &&
    !('hats' in arrange(context).config)
  );
}

/**
 * Takes the steps of all rules in the first iteration: first those that answer the objective alone, then those that wait
 * for something. A rule that needs what only a later prompt contains is left out.
 */
function joinRules(script: AgentScript): AgentScript {
  const first = script.rules.filter(({ when }) => !waits(when));
  const later = script.rules.filter(({ when }) => waits(when)).reverse();
  const joined = [...first, ...later.filter(isKnownFromStart)];
  if (joined.length < 2) return script;
  let captured = 0;
  const prompt: Pattern[] = [];
  const steps: Step[] = [];
  for (const { when, respond } of joined) {
    const patterns = patternsOf(when);
    steps.push(...respond.steps.map((step) => shiftCaptures(step, captured)));
    prompt.push(...patterns);
    captured += patterns.reduce((sum, pattern) => sum + countGroups(pattern), 0);
  }
  const ending = steps.filter((step) => step.do === 'complete').slice(0, 1);
  const all = [...steps.filter((step) => step.do !== 'complete'), ...ending];
  if (isDeepStrictEqual(all, joined[0]?.respond.steps)) return script;
  const rule: Rule = {
    name: 'all steps at once',
    when: { prompt },
    respond: { steps: all },
    maxMatches: 1,
    turns: [],
  };
  return { ...script, rules: [rule, ...script.rules] };
}

function waits({ event, memories, prompt = [] }: Condition): boolean {
  return event !== undefined || memories !== undefined || prompt.some(isFromLater);
}

/** What the prompt of a later iteration contains, and the objective does not: events, tasks, headings, refusals. */
function isFromLater(pattern: Pattern): boolean {
  const text = 'regex' in pattern ? pattern.regex : 'contains' in pattern ? pattern.contains : '';
  return /^\^|missing|remain/.test(text);
}

function isKnownFromStart({ when, respond }: Rule): boolean {
  const groups = (when.prompt ?? [])
    .filter(isFromLater)
    .reduce((sum, pattern) => sum + countGroups(pattern), 0);
  const uses = JSON.stringify(respond.steps).includes('{{');
  return !uses || (groups === 0 && when.memories === undefined);
}

/** The patterns that the first prompt matches, in the order in which they capture. */
function patternsOf({ objective, prompt = [] }: Condition): Pattern[] {
  return [
    ...(objective === undefined ? [] : [objective]),
    ...prompt.filter((pattern) => !isFromLater(pattern)),
  ];
}

function countGroups(pattern: Pattern): number {
  if (!('regex' in pattern)) return 0;
  return (new RegExp(`${pattern.regex}|`, pattern.flags).exec('')?.length ?? 1) - 1;
}

/** `{{add 1 2}}` becomes `{{add 4 5}}` behind three groups of other rules. */
function shiftCaptures(step: Step, by: number): Step {
  const shift = (text: string) =>
    text.replaceAll(/\{\{[^{}]*\}\}/g, (template) =>
      template.replaceAll(/(?<=[{ ])\d+(?=[ }])/g, (number) => String(Number(number) + by)),
    );
  switch (step.do) {
    case 'say':
    case 'note':
    case 'write':
    case 'append':
      return { ...step, text: shift(step.text) };
    case 'run':
      return { ...step, command: shift(step.command) };
    case 'emit':
      return step.payload === undefined ? step : { ...step, payload: shift(step.payload) };
    default:
      return step;
  }
}
