import { changingResponses, changingSteps } from '../../agent/sabotage.js';
import type { AgentScript, Response, Rule, Step } from '../../domain/agent-script.js';
import { nameChecks } from '../../domain/check.js';
import { DEFAULT_PROMISE } from '../../domain/evidence/run-view.js';
import type { ScenarioContext } from '../../domain/scenario/arrangement.js';
import type { RalphScenario, Scenario } from '../../domain/scenario/scenario.js';
import type { VariantName } from '../../domain/scenario/variants.js';
import { arrangedPromise } from '../../kinds/ralph/promise.js';
import { readMaxIterations } from '../../lane/time-limit.js';

/** Plays a scenario's own agent in another manner. Returns the script as it is where the manner changes nothing. */
type Manner = (script: AgentScript, scenario: Scenario, context: ScenarioContext) => AgentScript;

/** How each variant changes an agent that does its work. */
export const HONEST_AGENTS: Readonly<Record<VariantName, Manner>> = {
  bold: saying((text) => byLine(text, (line) => `**${line}**`)),
  code: saying((text) => byLine(text, (line) => `\`${line}\``)),
  fence: saying((text) => `\`\`\`\n${text}\n\`\`\``),
  preface: saying((text) => `Here is what you asked for.\n\n${text}`),
  afterword: saying((text) => `${text}\n\nLet me know if you need anything else.`),
  'grouped-digits': saying((text) => text.replaceAll('{{add ', '{{grouped ')),
  'letter-case': saying((text) => outsideTemplates(text, swapCase)),
  notebook: changingSteps((step) =>
    step.do === 'note'
      ? [{ do: 'note', text: '# Notes\n' }, step, { do: 'note', text: '\nNothing else so far.' }]
      : [step],
  ),
  'other-tool': inRalph(changingSteps(byShell)),
  'more-reads': inRalph(beforeWork({ do: 'run', command: 'ls -la' })),
  commit: inRalph(
    afterWriting({ do: 'run', command: 'git add -A && git commit --quiet --message "Save the work"' }),
  ),
  'own-task': inRalph(
    beforeWork({
      do: 'run',
      command: 'ralph tools task close "$(ralph tools task add "Read the instructions" --format quiet)"',
    }),
    usesTasks,
  ),
  'own-memory': inRalph(
    beforeWork({
      do: 'run',
      command: 'ralph tools memory add "Short answers are welcome here" --type context',
    }),
    usesMemories,
  ),
  'longer-payload': lengthenPayloads,
  'speaks-too-late': inRalph(changingResponses(cutOff)),
  'one-more-iteration': inRalph(lookingAround, hasTime),
  newline: endingFiles('\n'),
  'no-newline': endingFiles(''),
};

/** What every answer of a CLI goes through: not what ralph reads, which is the promise and event tags. */
function saying(change: (text: string) => string): Manner {
  return (script, scenario, context) => {
    const promise = promiseOf(scenario, context);
    return changingSteps((step) =>
      step.do === 'say' && !isForRalph(step.text, promise) ? [{ ...step, text: change(step.text) }] : [step],
    )(script);
  };
}

/** The promise must stand alone in the last line, and a tag has a form of its own: an agent that varies them is wrong. */
function isForRalph(text: string, promise: string): boolean {
  return text.trim() === '' || text.includes(promise) || text.includes('<event');
}

function promiseOf(scenario: Scenario, context: ScenarioContext): string {
  if (scenario.kind !== 'ralph') return DEFAULT_PROMISE;
  return arrangedPromise(scenario.arrange(context)) ?? DEFAULT_PROMISE;
}

function byLine(text: string, change: (line: string) => string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? line : change(line)))
    .join('\n');
}

function outsideTemplates(text: string, change: (part: string) => string): string {
  return text
    .split(/(\{\{[^{}]*\}\})/)
    .map((part) => (part.startsWith('{{') ? part : change(part)))
    .join('');
}

/** `SUM` becomes `Sum`, `The sum` becomes `the sum`. Names of files and commands keep their form. */
function swapCase(part: string): string {
  return part.replaceAll(/(?<![\w/.:-])[A-Z][A-Za-z]*(?![\w/.:-])/g, (word) =>
    word.length > 1 && word === word.toUpperCase()
      ? word.slice(0, 1) + word.slice(1).toLowerCase()
      : word.toLowerCase(),
  );
}

function inRalph(change: (script: AgentScript) => AgentScript, applies: Applies = () => true): Manner {
  return (script, scenario, context) =>
    scenario.kind === 'ralph' && applies(scenario, context) ? change(script) : script;
}

type Applies = (scenario: RalphScenario, context: ScenarioContext) => boolean;

/** Ralph ends an agent 5 s after `ralph emit`, and a model may need longer for its next words. */
function cutOff(response: Response): Response {
  if (!response.steps.some((step) => step.do === 'emit' && step.by === 'command')) return response;
  return { ...response, steps: response.steps.filter((step) => step.do !== 'say' && step.do !== 'complete') };
}

/** Spends an iteration on a look around. In front of all rules, so that it is the first of the loop. */
function lookingAround(script: AgentScript): AgentScript {
  const look: Rule = {
    name: 'looks around first',
    when: {},
    respond: {
      steps: [
        { do: 'run', command: 'ls -a' },
        { do: 'say', text: 'I have looked around. I will do the work in the next iteration.' },
      ],
    },
    maxMatches: 1,
    turns: [],
  };
  return { ...script, rules: [look, ...script.rules] };
}

/**
 * Whether a loop without hats can take one iteration more. Ralph accepts no completion in the last one. With an earlier
 * session or a hat, the iteration would be another one than the first of the loop under test.
 */
function hasTime({ arrange, expectedIterations }: RalphScenario, context: ScenarioContext): boolean {
  const { config, before = [], args = [] } = arrange(context);
  if ('hats' in config || args.length > 0 || before.some((errand) => 'session' in errand)) return false;
  const limit = readMaxIterations(config);
  return expectedIterations !== null && limit !== null && expectedIterations + 1 < limit;
}

/** Commands on tasks are offered to an agent unless they are switched off. */
function usesTasks({ arrange }: RalphScenario, context: ScenarioContext): boolean {
  return !isSwitchedOff(arrange(context).config, 'tasks');
}

function usesMemories({ arrange }: RalphScenario, context: ScenarioContext): boolean {
  return !isSwitchedOff(arrange(context).config, 'memories');
}

function isSwitchedOff(config: Readonly<Record<string, unknown>>, section: string): boolean {
  const found = config[section];
  return typeof found === 'object' && found !== null && 'enabled' in found && found.enabled === false;
}

function byShell(step: Step): Step[] {
  switch (step.do) {
    case 'write':
      return [{ do: 'run', command: writeCommand('>', step) }];
    case 'append':
      return [{ do: 'run', command: writeCommand('>>', step) }];
    case 'read':
      return [{ do: 'run', command: `cat '${step.path}'` }];
    default:
      return [step];
  }
}

/** A here document adds a newline, so it is only used for a text that ends with one. */
function writeCommand(
  arrow: string,
  { path, text }: { readonly path: string; readonly text: string },
): string {
  const folder = `mkdir -p "$(dirname '${path}')"`;
  return text.endsWith('\n')
    ? `${folder} && cat ${arrow} '${path}' <<'END_OF_FILE'\n${text}END_OF_FILE`
    : `${folder} && printf '%s' "$(cat <<'END_OF_FILE'\n${text}\nEND_OF_FILE\n)" ${arrow} '${path}'`;
}

/** Only before the first step of a loop: a rule that waits for the result of a tool would take this one for it. */
function beforeWork(first: Step): (script: AgentScript) => AgentScript {
  const begin = (respond: Response): Response =>
    isWork(respond) ? { ...respond, steps: [first, ...respond.steps] } : respond;
  return (script) => ({
    ...script,
    rules: script.rules.map((rule) =>
      rule.when.toolResult === undefined ? { ...rule, respond: begin(rule.respond) } : rule,
    ),
  });
}

/** An agent that breaks down or waits has no manners. */
function isWork({ steps, failure }: Response): boolean {
  return failure === undefined && steps.length > 0 && !steps.some((step) => step.do === 'hang');
}

function afterWriting(then: Step): (script: AgentScript) => AgentScript {
  return changingResponses((response) => {
    const last = response.steps.findLastIndex((step) => WRITES.has(step.do));
    return last === -1 ? response : { ...response, steps: response.steps.toSpliced(last + 1, 0, then) };
  });
}

const WRITES: ReadonlySet<Step['do']> = new Set(['write', 'append', 'edit']);

/** More words where no check prescribes the payload. */
function lengthenPayloads(script: AgentScript, scenario: Scenario, context: ScenarioContext): AgentScript {
  const prescribed = new Set(
    nameChecks(scenario.expect(context)).flatMap(({ about }) =>
      about?.topic !== undefined && (about.text ?? about.pattern) !== undefined ? [about.topic] : [],
    ),
  );
  return changingSteps((step) => {
    if (step.do !== 'emit' || prescribed.has(step.topic) || step.payload?.includes('{{') === true)
      return [step];
    const payload = [step.payload, 'with everything that was asked for'].filter(Boolean).join(', ');
    return [{ ...step, payload }];
  })(script);
}

/** A file that grows needs its newlines, so those that the agent appends to stay as they are. */
function endingFiles(end: string): Manner {
  return (script) => {
    const growing = new Set(stepsOf(script).flatMap((step) => (step.do === 'append' ? [step.path] : [])));
    return changingSteps((step) =>
      step.do === 'write' && !growing.has(step.path)
        ? [{ ...step, text: step.text.replace(/(?<!\n)\n*$/, end) }]
        : [step],
    )(script);
  };
}

/** Lists the steps of all answers of a script. */
export function stepsOf({ rules, default: rest }: AgentScript): Step[] {
  const responses = rules.flatMap(({ respond, turns }) => [respond, ...turns.map((turn) => turn.respond)]);
  return [...responses, ...(rest === undefined ? [] : [rest])].flatMap(({ steps }) => steps);
}
