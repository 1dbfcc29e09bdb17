import type {
  AgentScript,
  Condition,
  Failure,
  Pattern,
  Response,
  Rule,
  Step,
  ToolStep,
} from '../../../domain/agent-script.js';
import type { FileReferences } from '../files/file-references.js';
import { nameRule } from '../rule-name.js';
import type { NativeScript, ResponseForm, RuleForm, UsageForm } from './schema.js';
import type { FailureForm, StepForm, TextForm, ToolStepForm } from './steps.js';
import type { OnForm, PatternForm } from './when.js';

/** Compiles a script file of our own format for the engine. Undefined values mean absent keys. */
export function compileNative(form: NativeScript, files: FileReferences): AgentScript {
  const { name, agent, tools } = form;
  return {
    version: 1,
    name,
    identity: agent && {
      model: agent.model,
      version: agent.version,
      sessionId: agent.session_id,
      permissionMode: agent.permission_mode,
      loggedIn: agent.logged_in,
    },
    rules: (form.rules ?? []).map((rule) => compileRule(rule, files)),
    default:
      form.default === undefined
        ? undefined
        : compileResponse(typeof form.default === 'string' ? { say: form.default } : form.default, files),
    tools: tools && compileTools(tools),
  };
}

function compileRule(form: RuleForm, files: FileReferences): Rule {
  const when = compileOn(form.on);
  return {
    name: form.name ?? nameRule(when),
    when,
    respond: compileResponse(form, files),
    maxMatches: form.max,
    turns: (form.turns ?? []).map((turn) => ({
      when: compileOn(turn.on),
      respond: compileResponse(turn, files),
    })),
  };
}

function compileResponse(form: ResponseForm, files: FileReferences): Response {
  const usages = [form.usage ?? []].flat().map(compileUsage);
  const said = form.say === undefined ? [] : [{ say: form.say }];
  return {
    steps: [...said, ...(form.steps ?? [])].flatMap((step) => compileSteps(step, files)),
    usage: usages.at(-1),
    usages: Array.isArray(form.usage) ? usages : undefined,
    delayMs: form.delay_ms,
    tokenDelayMs: form.token_delay_ms,
    stopReason: form.stop_reason,
    failure: form.failure && compileFailure(form.failure),
    failTimes: form.fail_times,
  };
}

function compileUsage({ input_tokens, output_tokens }: UsageForm): NonNullable<Response['usage']> {
  return { inputTokens: input_tokens, outputTokens: output_tokens };
}

function compileSteps(form: StepForm, files: FileReferences): Step[] {
  if (typeof form === 'string' || !('together' in form)) return [compileStep(form, files)];
  return form.together.map((step, index) => {
    const compiled = compileToolStep(step, files);
    return index === 0 ? compiled : { ...compiled, alongside: true };
  });
}

function compileStep(form: Exclude<StepForm, { together: unknown }>, files: FileReferences): Step {
  if (form === 'complete' || form === 'hang') return { do: form };
  if ('say' in form) return { do: 'say', text: readText(form.say, files) };
  if ('think' in form) return { do: 'think', text: readText(form.think, files) };
  if ('wait_ms' in form) return { do: 'wait', milliseconds: form.wait_ms };
  return compileToolStep(form, files);
}

function readText(text: TextForm, files: FileReferences): string {
  return typeof text === 'string' ? text : files.readText(text.$file);
}

function compileToolStep(form: ToolStepForm, files: FileReferences): ToolStep {
  const read = (text: TextForm) => readText(text, files);
  if ('write' in form) return { do: 'write', path: form.write, text: read(form.text) };
  if ('append' in form) return { do: 'append', path: form.append, text: read(form.text) };
  if ('edit' in form) return { do: 'edit', path: form.edit, old: form.old, new: form.new };
  if ('read' in form) return { do: 'read', path: form.read };
  if ('note' in form) return { do: 'note', text: form.note };
  if ('run' in form) return { do: 'run', command: form.run };
  if ('emit' in form)
    return { do: 'emit', topic: form.emit, payload: form.payload, by: form.by ?? 'command' };
  const result = form.result === undefined ? undefined : read(form.result);
  return { do: 'tool', name: form.tool, input: files.replaceIn(form.input ?? {}), result };
}

function compileFailure(form: FailureForm): Failure {
  if (typeof form === 'string') return { type: form };
  switch (form.type) {
    case 'rate-limit':
      return { type: form.type, message: form.message, retryAfterSeconds: form.retry_after_seconds };
    case 'timeout':
      return { type: form.type, afterMs: form.after_ms };
    default:
      return form;
  }
}

function compileOn(form: OnForm): Condition {
  if (form === 'any') return {};
  if (typeof form === 'string' || isPatternMapping(form)) return { prompt: [compilePattern(form)] };
  const { prompt, hat, event, coordinating, flags, turn } = form;
  const one = (pattern: PatternForm | undefined) =>
    pattern === undefined ? undefined : compilePattern(pattern);
  return {
    hat,
    event,
    coordinating,
    objective: one(form.objective),
    memories: one(form.memories),
    prompt: prompt === undefined ? undefined : [prompt].flat().map(compilePattern),
    systemPrompt: one(form.system_prompt),
    earlier: one(form.earlier_prompt),
    toolResult: one(form.tool_result),
    model: one(form.model),
    cwd: one(form.cwd),
    session: one(form.session),
    flags,
    turn,
  };
}

function isPatternMapping(form: Exclude<OnForm, string>): form is Exclude<PatternForm, string> {
  return ['exact', 'contains', 'regex', 'glob', 'any'].some((kind) => kind in form);
}

/** A string means "contains", unless it is `any` or between slashes. */
function compilePattern(form: PatternForm): Pattern {
  if (typeof form !== 'string') return form;
  if (form === 'any') return { any: true };
  const [, regex, flags] = /^\/([\s\S]+)\/([a-z]*)$/.exec(form) ?? [];
  if (regex === undefined) return { contains: form };
  return flags === '' ? { regex } : { regex, flags };
}

function compileTools({
  mode = 'live',
  ...policies
}: NonNullable<NativeScript['tools']>): AgentScript['tools'] {
  return { mode, policies };
}
