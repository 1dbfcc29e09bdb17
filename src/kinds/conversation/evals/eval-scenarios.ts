import { fileURLToPath } from 'node:url';
import type { AgentScript } from '../../../domain/agent-script.js';
import type { Check } from '../../../domain/check.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { findNearest } from '../../../domain/common/nearest.js';
import { type ConversationScenario, conversation } from '../../../domain/scenario/scenario.js';
import { LANES } from '../../../domain/vocabulary.js';
import { turnsCompleted } from '../checks/turns.js';
import type { EvalCase } from './case-schema.js';
import { isCheckable, refuseGrader, toCheck } from './graders.js';
import { type FoundCase, readEvalCases } from './read-cases.js';

/** What the agent does in the offline lanes, by the names of the cases. */
interface EvalOptions {
  readonly agents?: Readonly<Record<string, readonly { readonly rule: AgentScript['rules'][number] }[]>>;
}

/**
 * Reads the cases of `claude plugin eval` below a folder as conversations. A case that cannot be judged without a model is
 * skipped with the reason. A case without an agent runs only live.
 */
export async function evalCases(
  folder: string | URL,
  { agents = {} }: EvalOptions = {},
): Promise<ConversationScenario[]> {
  const cases = await readEvalCases(typeof folder === 'string' ? folder : fileURLToPath(folder));
  const names = cases.map(({ content }) => content.name);
  const unknown = Object.keys(agents).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new KnownError(`evalCases: no case has the name "${unknown}".`, {
      hint: `Did you mean ${findNearest(unknown, names) ?? names.join(', ')}?`,
    });
  return cases.map((found) => toScenario(found, agents[found.content.name] ?? []));
}

const NO_AGENT = 'the case has no agent script: it needs a real model';

function toScenario(
  { content, plugins, folder }: FoundCase,
  agent: NonNullable<EvalOptions['agents']>[string],
): ConversationScenario {
  const { name, description, execution } = content;
  const refused = refuseCase(content) ?? (plugins.length === 0 ? 'no plugin is around it' : null);
  const unplayable =
    refused === null
      ? agent.length === 0
        ? { scripted: NO_AGENT, sim: NO_AGENT }
        : {}
      : Object.fromEntries(LANES.map((lane) => [lane, refused]));
  return conversation({
    id: toId(name, folder),
    description: description ?? `The case ${name} of claude plugin eval`,
    timeoutSeconds: execution.timeout_seconds,
    unplayable,
    arrange: () => ({
      plugins,
      turns: [{ prompt: execution.prompt, seconds: execution.timeout_seconds }],
      permissionMode: 'default',
      allowedTools: execution.allowed_tools,
      args: listArguments(execution),
    }),
    expect: () => nameChecks(content.graders),
    agent,
  });
}

/** Names the checks after the graders. Names may repeat, and a grader may have the name of our own check. */
function nameChecks(graders: EvalCase['graders']): Record<string, Check> {
  const checks: Record<string, Check> = { completed: turnsCompleted() };
  for (const grader of graders.filter(isCheckable)) {
    let name = grader.name;
    for (let number = 2; Object.hasOwn(checks, name); number++) name = `${grader.name} ${number}`;
    checks[name] = toCheck(grader);
  }
  return checks;
}

/** Says what a case asks for that a conversation cannot do, or returns null. */
function refuseCase({ context, execution, graders }: EvalCase): string | null {
  const reasons = [
    ...(context.scaffold_script === undefined ? [] : ['it has a scaffold_script']),
    ...(context.history_file === undefined ? [] : ['it has a history_file']),
    ...(context.add_dirs.length === 0 ? [] : ['it has add_dirs']),
    ...(execution.artifact_publish === true ? ['it publishes artifacts'] : []),
    ...(execution.growthbook_overrides === undefined ? [] : ['it has growthbook_overrides']),
    ...(Object.keys(execution.env).length === 0 ? [] : ['it sets variables (env)']),
    ...graders.map(refuseGrader).filter((reason) => reason !== null),
  ];
  return reasons.length === 0 ? null : reasons.join('; ');
}

function listArguments(execution: EvalCase['execution']): string[] {
  const { max_turns, model, append_system_prompt, disallowed_tools } = execution;
  return [
    ...['--max-turns', String(max_turns)],
    ...(model === undefined ? [] : ['--model', model]),
    ...(append_system_prompt === undefined ? [] : ['--append-system-prompt', append_system_prompt]),
    ...(disallowed_tools.length === 0 ? [] : ['--disallowedTools', disallowed_tools.join(',')]),
  ];
}

function toId(name: string, folder: string): string {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  if (id !== '') return id;
  throw new KnownError(`${folder}: expected a name with letters or digits, found "${name}".`);
}
