import type { Condition, Pattern, Rule, Step } from '../domain/agent-script.js';

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

  /** Declares the objective complete, in the way that the prompt asks for. */
  completes(): RuleBuilder {
    return this.#then({ do: 'complete' });
  }

  /** Says nothing more and does not end. */
  hangs(): RuleBuilder {
    return this.#then({ do: 'hang' });
  }

  /** Ends as the CLI does when its service refuses the credentials. */
  refusesCredentials(): RuleBuilder {
    return this.#then({ do: 'refuse-credentials' });
  }

  /** Plays once only; later prompts go on to the next rules. */
  once(): RuleBuilder {
    return this.#with({ maxMatches: 1 });
  }

  #then(step: Step): RuleBuilder {
    return this.#with({ steps: [...this.rule.steps, step] });
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

/** On every prompt. */
export function onAnyPrompt(): RuleBuilder {
  return rule('on any prompt', {});
}

function rule(name: string, when: Condition): RuleBuilder {
  return new RuleBuilder({ name, when, steps: [] });
}

function toPattern(pattern: RegExp | string): Pattern {
  if (typeof pattern === 'string') return { contains: pattern };
  return pattern.flags === '' ? { regex: pattern.source } : { regex: pattern.source, flags: pattern.flags };
}
