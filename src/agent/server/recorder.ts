import type { AgentScript, Failure, Response, Rule, Step } from '../../domain/agent-script.js';
import { mapTexts } from '../../domain/common/map-texts.js';
import { redactText } from '../../exec/redact.js';
import { quoteTemplate } from '../engine/template.js';
import type { HeardPart } from './model/read-reply.js';
import type { Situation } from './situation.js';

/** A real model's answers in one agent loop. */
interface Loop {
  readonly prompt: string;
  readonly cwd: string | null;
  /** The answers by the number of tools that had run; a repeated request counts once. */
  readonly answers: Map<number, readonly HeardPart[]>;
  failure: Failure | null;
}

/** Turns a real model's answers into a script: the same prompts in the same order get the same answers. */
export class Recorder {
  readonly #conversations = new Map<string, Map<number, Loop>>();
  readonly #secrets = new Set<string>();

  /** Adds values that must not get into the script. */
  hide(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  /** Identifies an unnamed conversation; one that starts again after its end is new. */
  identify(beginning: string, { number, calls }: Situation): string {
    const known = [...this.#conversations.keys()].filter((name) => name.startsWith(`${beginning}.`));
    const latest = `${beginning}.${Math.max(known.length, 1)}`;
    const first = this.#conversations.get(latest)?.get(1);
    const ended = [...(first?.answers.values() ?? [])].some(
      (parts) => !parts.some(({ type }) => type === 'tool'),
    );
    return number === 1 && calls.length === 0 && ended ? `${beginning}.${known.length + 1}` : latest;
  }

  /** Records an answer. */
  hear(conversation: string, situation: Situation, parts: readonly HeardPart[]): void {
    const loop = this.#loop(conversation, situation);
    loop.answers.set(situation.calls.length, parts);
    loop.failure = null;
  }

  /** Records a missing answer; a later answer to the same request replaces it. */
  miss(conversation: string, situation: Situation, failure: Failure): void {
    this.#loop(conversation, situation).failure = failure;
  }

  /** Returns the script. Each rule plays once: a replay refuses requests beyond the recording. */
  toScript(): AgentScript {
    const rules = [...this.#conversations.values()].map((loops): Rule => {
      const [first, ...later] = [...loops.entries()]
        .sort(([a], [b]) => a - b)
        .map(([, loop]) => this.#turn(loop));
      if (first === undefined) throw new Error('a recorded conversation has no prompt');
      return {
        name: `recorded: ${first.prompt.slice(0, 60)}`,
        maxMatches: 1,
        ...first.turn,
        turns: later.map(({ turn }) => turn),
      };
    });
    return { version: 1, rules };
  }

  #loop(conversation: string, { prompt, number, cwd }: Situation): Loop {
    const loops = this.#conversations.get(conversation) ?? new Map<number, Loop>();
    this.#conversations.set(conversation, loops);
    const loop = loops.get(number) ?? { prompt, cwd, answers: new Map(), failure: null };
    loops.set(number, loop);
    return loop;
  }

  #turn({ prompt, cwd, answers, failure }: Loop) {
    const clean = (text: string) => redactText(text, [...this.#secrets]);
    /** Escapes the model's text, and replaces its working directory with `{{cwd}}`: a replay runs elsewhere. */
    const quote = (text: string) => {
      const quoted = quoteTemplate(clean(text));
      return cwd === null ? quoted : quoted.replaceAll(cwd, '{{cwd}}');
    };
    const steps = [...answers.entries()]
      .sort(([a], [b]) => a - b)
      .flatMap(([, parts]) => parts.map((part) => toStep(part, quote)));
    const respond: Response = failure === null ? { steps } : { steps, failure };
    const asked = clean(prompt);
    return { prompt: asked, turn: { when: { prompt: [{ exact: asked }] }, respond } };
  }
}

function toStep(part: HeardPart, quote: (text: string) => string): Step {
  if (part.type === 'text') return { do: 'say', text: quote(part.text) };
  const input = Object.entries(part.input).map(([name, value]) => [name, mapTexts(value, quote)]);
  return { do: 'tool', name: part.name, input: Object.fromEntries(input) };
}
