import type { Condition, Failure, Pattern, Response, Rule, Step } from '../domain/agent-script.js';
import { KnownError } from '../domain/common/known-error.js';
import { isToolStep } from './engine/planned-answers.js';

/** Builds one rule for an agent script; every method returns a new builder. */
export class RuleBuilder {
  readonly rule: Rule;

  constructor(rule: Rule) {
    this.rule = rule;
  }

  /** Requires the prompt to match, and captures groups for `{{1}}` and so on. */
  reads(pattern: RegExp | string): RuleBuilder {
    const { when } = this.rule;
    return this.#with({ when: { ...when, prompt: [...(when.prompt ?? []), toPattern(pattern)] } });
  }

  /** Adds conditions: on the model, the session, flags, the turn and so on. */
  when(condition: Condition): RuleBuilder {
    return this.#with({ when: { ...this.rule.when, ...condition } });
  }

  says(text: string): RuleBuilder {
    return this.#then({ do: 'say', text });
  }

  /** Thinks before the next text or tool. Callers that do not ask for thoughts do not get them. */
  thinks(text: string): RuleBuilder {
    return this.#then({ do: 'think', text });
  }

  /** Asks for all the tools of `tools` in one answer. */
  together(tools: (rule: RuleBuilder) => RuleBuilder): RuleBuilder {
    const { steps } = tools(new RuleBuilder({ ...this.rule, respond: { steps: [] } })).rule.respond;
    const found = steps.find((step) => !isToolStep(step));
    const [first, ...others] = steps.filter(isToolStep);
    if (found !== undefined || first === undefined) {
      throw new KnownError(
        `together: expected only steps that use a tool, found ${found === undefined ? 'none' : found.do}.`,
        { hint: 'Example: `.together((rule) => rule.readsFile("a.txt").runs("ls"))`.' },
      );
    }
    const marked = others.map((step): Step => ({ ...step, alongside: true }));
    return this.#respond({ steps: [...this.rule.respond.steps, first, ...marked] });
  }

  /** Writes a file with the CLI's own tool. */
  writes(path: string, text: string): RuleBuilder {
    return this.#then({ do: 'write', path, text });
  }

  /** Appends to a file. */
  appends(path: string, text: string): RuleBuilder {
    return this.#then({ do: 'append', path, text });
  }

  /** Replaces text in a file with the CLI's own tool. */
  edits(path: string, old: string, text: string): RuleBuilder {
    return this.#then({ do: 'edit', path, old, new: text });
  }

  /** Reads a file with the CLI's own tool. */
  readsFile(path: string): RuleBuilder {
    return this.#then({ do: 'read', path });
  }

  /** Appends a line to Ralph's scratchpad. */
  notes(text: string): RuleBuilder {
    return this.#then({ do: 'note', text });
  }

  /** Runs a shell command. */
  runs(command: string): RuleBuilder {
    return this.#then({ do: 'run', command });
  }

  /** Emits an event with `ralph emit`, or as an `<event>` tag in the answer. */
  emits(topic: string, payload?: string, by: 'command' | 'tag' = 'command'): RuleBuilder {
    return this.#then({ do: 'emit', topic, by, ...(payload === undefined ? {} : { payload }) });
  }

  /** Calls a tool of the CLI by name. With `result`, the call is shown but not executed. */
  calls(name: string, input: Record<string, unknown>, result?: string): RuleBuilder {
    return this.#then({ do: 'tool', name, input, ...(result === undefined ? {} : { result }) });
  }

  /** Declares the objective complete in the way that the prompt asks for. */
  completes(): RuleBuilder {
    return this.#then({ do: 'complete' });
  }

  /** Pauses between two steps. */
  waits(milliseconds: number): RuleBuilder {
    return this.#then({ do: 'wait', milliseconds });
  }

  /** Goes silent and never exits. */
  hangs(): RuleBuilder {
    return this.#then({ do: 'hang' });
  }

  /** Fails after the steps so far. With `times`, it fails that many times and then succeeds. */
  fails(failure: Failure, times?: number): RuleBuilder {
    return this.#respond({ failure, ...(times === undefined ? {} : { failTimes: times }) });
  }

  /** Fails the way the CLI does when its service rejects the credentials. */
  refusesCredentials(): RuleBuilder {
    return this.fails({ type: 'authentication' });
  }

  /** Plays only once; later prompts fall through to the next rules. */
  once(): RuleBuilder {
    return this.#with({ maxMatches: 1 });
  }

  /** Adds the next turns of the same conversation, one builder per user turn. */
  followedBy(...turns: readonly RuleBuilder[]): RuleBuilder {
    const more = turns.map(({ rule }) => ({ when: rule.when, respond: rule.respond }));
    return this.#with({ turns: [...this.rule.turns, ...more] });
  }

  #then(step: Step): RuleBuilder {
    return this.#respond({ steps: [...this.rule.respond.steps, step] });
  }

  #respond(change: Partial<Response>): RuleBuilder {
    return this.#with({ respond: { ...this.rule.respond, ...change } });
  }

  #with(change: Partial<Rule>): RuleBuilder {
    return new RuleBuilder({ ...this.rule, ...change });
  }
}

/** Starts a rule for prompts in which the hat with this name (not id) is active. */
export function onHat(name: string): RuleBuilder {
  return rule(`on hat ${name}`, { hat: name });
}

/** Starts a rule for prompts with a pending event that has this topic. */
export function onEvent(topic: string): RuleBuilder {
  return rule(`on event ${topic}`, { event: topic });
}

/** Starts a rule for prompts whose objective matches. */
export function onObjective(pattern: RegExp | string): RuleBuilder {
  return rule(`on objective ${pattern}`, { objective: toPattern(pattern) });
}

/** Starts a rule for prompts that match. */
export function onPrompt(pattern: RegExp | string): RuleBuilder {
  return rule(`on prompt ${pattern}`, { prompt: [toPattern(pattern)] });
}

/** Starts a rule for every prompt. */
export function onAnyPrompt(): RuleBuilder {
  return rule('on any prompt', {});
}

function rule(name: string, when: Condition): RuleBuilder {
  return new RuleBuilder({ name, when, respond: { steps: [] }, turns: [] });
}

function toPattern(pattern: RegExp | string): Pattern {
  if (typeof pattern === 'string') return { contains: pattern };
  return pattern.flags === '' ? { regex: pattern.source } : { regex: pattern.source, flags: pattern.flags };
}
