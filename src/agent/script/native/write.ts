import { stringify } from 'yaml';
import {
  type AgentScript,
  type Condition,
  type Failure,
  isToolStep,
  type Pattern,
  type Response,
  type Rule,
  type Step,
  type ToolStep,
} from '../../../domain/agent-script.js';
import { nameRule } from '../rule-name.js';
import type { NativeScript, ResponseForm, RuleForm, UsageForm } from './schema.js';
import type { FailureForm, StepForm, ToolStepForm } from './steps.js';
import type { OnForm, PatternForm } from './when.js';

/** Writes a script in our own format, as YAML; reading it back yields the same script. */
export function writeScript(script: AgentScript): string {
  return stringify(toForm(script), { lineWidth: 0, keepUndefined: false, aliasDuplicateObjects: false });
}

/** The content of the file; modes are written unchanged. */
type Written = Omit<NativeScript, 'agent' | 'tools'> & { readonly agent?: object; readonly tools?: object };

function toForm({ name, identity, rules, default: fallback, tools }: AgentScript): Written {
  const answer = fallback && writeResponse(fallback);
  const { say } = answer ?? {};
  return {
    name,
    agent: identity && {
      model: identity.model,
      version: identity.version,
      session_id: identity.sessionId,
      permission_mode: identity.permissionMode,
      logged_in: identity.loggedIn,
    },
    tools: tools && { mode: tools.mode, ...tools.policies },
    rules: rules.map(writeRule),
    default: typeof say === 'string' && countGiven(answer ?? {}) === 1 ? say : answer,
  };
}

function writeRule({ name, when, respond, maxMatches, turns }: Rule): RuleForm {
  return {
    name: name === nameRule(when) ? undefined : name,
    on: writeOn(when),
    ...writeResponse(respond),
    max: maxMatches,
    turns:
      turns.length === 0
        ? undefined
        : turns.map((turn) => ({ on: writeOn(turn.when), ...writeResponse(turn.respond) })),
  };
}

function writeResponse(response: Response): ResponseForm {
  const { steps, usage, failure } = response;
  const [first, ...others] = steps;
  const answer: ResponseForm =
    first?.do === 'say' && others.length === 0
      ? { say: first.text }
      : steps.length === 0 && failure !== undefined
        ? {}
        : { steps: writeSteps(steps) };
  return {
    ...answer,
    usage: response.usages?.map(writeUsage) ?? (usage && writeUsage(usage)),
    delay_ms: response.delayMs,
    token_delay_ms: response.tokenDelayMs,
    stop_reason: response.stopReason,
    failure: failure && writeFailure(failure),
    fail_times: response.failTimes,
  };
}

function writeUsage({ inputTokens, outputTokens }: NonNullable<Response['usage']>): UsageForm {
  return { input_tokens: inputTokens, output_tokens: outputTokens };
}

/** Groups the tools that the model asks for in one answer. */
function writeSteps(steps: readonly Step[]): StepForm[] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (isToolStep(step) && step.alongside === true && last?.every(isToolStep)) last.push(step);
    else groups.push([step]);
  }
  return groups.map((group) => {
    const [first] = group;
    const tools = group.filter(isToolStep);
    if (tools.length > 1) return { together: tools.map(writeToolStep) };
    if (first === undefined) throw new Error('a group of steps is empty');
    return writeStep(first);
  });
}

function writeStep(step: Step): StepForm {
  switch (step.do) {
    case 'say':
      return { say: step.text };
    case 'think':
      return { think: step.text };
    case 'wait':
      return { wait_ms: step.milliseconds };
    case 'complete':
    case 'hang':
      return step.do;
    default:
      return writeToolStep(step);
  }
}

function writeToolStep(step: ToolStep): ToolStepForm {
  switch (step.do) {
    case 'write':
      return { write: step.path, text: step.text };
    case 'append':
      return { append: step.path, text: step.text };
    case 'edit':
      return { edit: step.path, old: step.old, new: step.new };
    case 'read':
      return { read: step.path };
    case 'note':
      return { note: step.text };
    case 'run':
      return { run: step.command };
    case 'emit':
      return { emit: step.topic, payload: step.payload, by: step.by === 'command' ? undefined : step.by };
    case 'tool':
      return { tool: step.name, input: step.input, result: step.result };
    default:
      return step satisfies never;
  }
}

function writeFailure(failure: Failure): FailureForm {
  if (countGiven(failure) === 1) return failure.type;
  switch (failure.type) {
    case 'rate-limit':
      return {
        type: failure.type,
        message: failure.message,
        retry_after_seconds: failure.retryAfterSeconds,
      };
    case 'timeout':
      return { type: failure.type, after_ms: failure.afterMs };
    default:
      return failure;
  }
}

function writeOn(when: Condition): OnForm {
  if (countGiven(when) === 0) return 'any';
  const [first, ...others] = when.prompt ?? [];
  const one = (pattern: Pattern | undefined) => (pattern === undefined ? undefined : writePattern(pattern));
  if (first !== undefined && others.length === 0 && countGiven(when) === 1) {
    // A plain `any` would mean no conditions.
    return 'any' in first ? first : writePattern(first);
  }
  return {
    prompt: others.length === 0 ? one(first) : when.prompt?.map(writePattern),
    hat: when.hat,
    event: when.event,
    coordinating: when.coordinating,
    objective: one(when.objective),
    memories: one(when.memories),
    system_prompt: one(when.systemPrompt),
    earlier_prompt: one(when.earlier),
    tool_result: one(when.toolResult),
    model: one(when.model),
    cwd: one(when.cwd),
    session: one(when.session),
    flags: when.flags,
    turn: when.turn,
  };
}

/** Writes the short form unless it would mean something else. */
function writePattern(pattern: Pattern): PatternForm {
  if ('any' in pattern) return 'any';
  if ('contains' in pattern) {
    const { contains } = pattern;
    return contains === 'any' || /^\/[\s\S]+\/[a-z]*$/.test(contains) ? pattern : contains;
  }
  if ('regex' in pattern && pattern.regex !== '') return `/${pattern.regex}/${pattern.flags ?? ''}`;
  return pattern;
}

function countGiven(form: object): number {
  return Object.values(form).filter((value) => value !== undefined).length;
}
