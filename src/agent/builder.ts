import type { Condition, Failure, Pattern, Response, Rule, Step } from '../domain/agent-script.js';

/** A rule of an agent script in the making; every method gives a new one. */
export class RuleBuilder {
  readonly rule: Rule;

  constructor(rule: Rule) {
    this.rule = rule;
  }

  /** The prompt must match too; groups are captured for `{{1}}` and the like. */
  reads(pattern: RegExp | string): RuleBuilder {
    const { when } = this.rule;
    return this.#with({ when: { ...when, prompt: [...(when.prompt ?? []), toPattern(pattern)] } });
  }

  /** Further conditions: on the model, the session, flags, the turn and so on. */
  when(condition: Condition): RuleBuilder {
    return this.#with({ when: { ...this.rule.when, ...condition } });
  }

  /** Says a text. */
  says(text: string): RuleBuilder {
    return this.#then({ do: 'say', text });
  }

  /** Writes a file with its tool for that. */
  writes(path: string, text: string): RuleBuilder {
    return this.#then({ do: 'write', path, text });
  }

  /** Appends to a file. */
  appends(path: string, text: string): RuleBuilder {
    return this.#then({ do: 'append', path, text });
  }

  /** Replaces a text in a file with its tool for that. */
  edits(path: string, old: string, text: string): RuleBuilder {
    return this.#then({ do: 'edit', path, old, new: text });
  }

  /** Reads a file with its tool for that. */
  readsFile(path: string): RuleBuilder {
    return this.#then({ do: 'read', path });
  }

  /** Appends a line to ralph's scratchpad. */
  notes(text: string): RuleBuilder {
    return this.#then({ do: 'note', text });
  }

  /** Runs a shell command. */
  runs(command: string): RuleBuilder {
    return this.#then({ do: 'run', command });
  }

  /** Emits an event with `ralph emit`, or as an `<event>` tag in what it says. */
  emits(topic: string, payload?: string, by: 'command' | 'tag' = 'command'): RuleBuilder {
    return this.#then({ do: 'emit', topic, by, ...(payload === undefined ? {} : { payload }) });
  }

  /** Calls a tool of the CLI under its own name; with a result it is only shown. */
  calls(name: string, input: Record<string, unknown>, result?: string): RuleBuilder {
    return this.#then({ do: 'tool', name, input, ...(result === undefined ? {} : { result }) });
  }

  /** Declares the objective complete, in the way that the prompt asks for. */
  completes(): RuleBuilder {
    return this.#then({ do: 'complete' });
  }

  /** Pauses between two steps. */
  waits(milliseconds: number): RuleBuilder {
    return this.#then({ do: 'wait', milliseconds });
  }

  /** Says nothing more and does not end. */
  hangs(): RuleBuilder {
    return this.#then({ do: 'hang' });
  }

  /** Ends in a failure, after the steps so far; `times` lets it go away when it is tried again. */
  fails(failure: Failure, times?: number): RuleBuilder {
    return this.#respond({ failure, ...(times === undefined ? {} : { failTimes: times }) });
  }

  /** Ends as the CLI does when its service refuses the credentials. */
  refusesCredentials(): RuleBuilder {
    return this.fails({ type: 'authentication' });
  }

  /** Plays once only; later prompts go on to the next rules. */
  once(): RuleBuilder {
    return this.#with({ maxMatches: 1 });
  }

  /** What comes next in the same conversation, one builder a user turn. */
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

/** When the hat of this name (not id) is active. */
export function onHat(name: string): RuleBuilder {
  return rule(`on hat ${name}`, { hat: name });
}

/** When an event of this topic is pending. */
export function onEvent(topic: string): RuleBuilder {
  return rule(`on event ${topic}`, { event: topic });
}

/** When the objective matches. */
export function onObjective(pattern: RegExp | string): RuleBuilder {
  return rule(`on objective ${pattern}`, { objective: toPattern(pattern) });
}

/** When the prompt matches. */
export function onPrompt(pattern: RegExp | string): RuleBuilder {
  return rule(`on prompt ${pattern}`, { prompt: [toPattern(pattern)] });
}

/** On every prompt. */
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
