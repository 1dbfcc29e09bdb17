import type { AgentScript, Failure, Pattern, Response, Rule, Step } from '../../../domain/agent-script.js';
import { escapeRegex } from '../../../domain/text/escape-regex.js';
import { REDACTED } from '../../../exec/redact/scanner-for.js';
import { redactText } from '../../../exec/redact.js';
import { quoteTemplate } from '../../engine/template.js';
import { writeRecordedStep } from '../../recorded.js';
import { Conversations } from '../conversations.js';
import type { ModelRequest } from '../model/request.js';
import type { Situation } from '../situation.js';
import type { RecordedReply } from './read-reply.js';

/** A real model's answers in one agent loop. */
interface Loop {
  readonly prompt: string;
  readonly cwd: string | null;
  /** The answers by the number of tools that had run; a repeated request counts once. */
  readonly answers: Map<number, RecordedReply>;
  /** The failure before the first answer, and how often it came. */
  first: { readonly failure: Failure; readonly times: number } | null;
  /** The failure after the latest answer. */
  last: Failure | null;
}

/** Turns a real model's answers into a script: the same prompts in the same order get the same answers. */
export class Recorder {
  readonly conversations = new Conversations();
  readonly #loops = new Map<string, Map<number, Loop>>();
  readonly #secrets = new Set<string>();

  /** Adds values that must not get into the script. */
  addSecrets(secrets: readonly string[]): void {
    for (const secret of secrets) this.#secrets.add(secret);
  }

  /** Identifies the conversation of a request. */
  identify(request: ModelRequest, session: string | null): string {
    return this.conversations.identify(request, session, (name) =>
      [...(this.#loops.get(name)?.get(1)?.answers.values() ?? [])].some(
        ({ parts }) => !parts.some(({ kind }) => kind === 'used'),
      ),
    );
  }

  /** Records an answer. The rest of an answer that stopped early joins its beginning. */
  addReply(conversation: string, situation: Situation, reply: RecordedReply): void {
    const loop = this.#loop(conversation, situation);
    const number = situation.calls.length;
    const begun = situation.resumed === 0 ? [] : (loop.answers.get(number)?.parts ?? []);
    // A failure that went away in the middle of a loop leaves no trace: scripts fail only before they begin.
    loop.last = null;
    loop.answers.set(number, { ...reply, parts: [...begun, ...reply.parts] });
  }

  /** Remembers what the service keeps. */
  keep({ messages }: ModelRequest, conversation: string, { id, parts }: RecordedReply): void {
    if (id === null) return;
    const text = parts.flatMap((part) => (part.kind === 'said' ? [part.text] : [])).join('\n');
    const calls = parts.flatMap((part) =>
      part.kind === 'used' ? [{ id: null, name: part.tool, input: part.input }] : [],
    );
    this.conversations.keep(id, conversation, [...messages, { role: 'assistant', text, calls }]);
  }

  /** Records a missing answer; a later answer to the same request follows it. */
  addFailure(conversation: string, situation: Situation, failure: Failure): void {
    const loop = this.#loop(conversation, situation);
    if (loop.answers.size > 0) {
      loop.last = failure;
      return;
    }
    const isSame = JSON.stringify(loop.first?.failure) === JSON.stringify(failure);
    loop.first = { failure, times: isSame ? (loop.first?.times ?? 0) + 1 : 1 };
  }

  /** Returns the script. Each rule plays once: a replay refuses requests beyond the recording. */
  toScript(): AgentScript {
    const rules = [...this.#loops.values()].map((loops): Rule => {
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
    return { format: 1, rules };
  }

  #loop(conversation: string, { prompt, number, cwd }: Situation): Loop {
    const loops = this.#loops.get(conversation) ?? new Map<number, Loop>();
    this.#loops.set(conversation, loops);
    const loop = loops.get(number) ?? {
      prompt,
      cwd,
      answers: new Map(),
      first: null,
      last: null,
    };
    loops.set(number, loop);
    return loop;
  }

  #turn(loop: Loop) {
    const { prompt, cwd } = loop;
    const clean = (text: string) => redactText(text, [...this.#secrets]);
    /** Escapes the model's text, and replaces its working directory with `{{cwd}}`: a replay runs elsewhere. */
    const quote = (text: string) => {
      const quoted = quoteTemplate(clean(text));
      return cwd === null ? quoted : quoted.replaceAll(cwd, '{{cwd}}');
    };
    const asked = clean(prompt);
    const respond = toResponse(loop, { quote, clean });
    return { prompt: asked, turn: { when: { prompt: [matchRedacted(prompt, asked)] }, respond } };
  }
}

/** A prompt without its secrets matches any text in their place. */
function matchRedacted(prompt: string, asked: string): Pattern {
  if (asked === prompt) return { exact: prompt };
  const parts = asked.split(REDACTED).map(escapeRegex);
  return { regex: `^${parts.join('[\\s\\S]+')}$` };
}

function toResponse(
  { answers, first, last }: Loop,
  { quote, clean }: Readonly<Record<'quote' | 'clean', (text: string) => string>>,
): Response {
  const replies = [...answers.entries()].sort(([a], [b]) => a - b).map(([, reply]) => reply);
  const usages = replies.flatMap(({ usage }) => usage ?? []);
  const counted = usages.length === replies.length ? usages : [];
  const stop = replies.at(-1)?.stop ?? null;
  const failure = last ?? first?.failure ?? null;
  const recovered = last === null && first !== null && replies.length > 0;
  return {
    steps: replies.flatMap(({ parts }) => toSteps(parts, quote)),
    ...(counted.length > 0 ? { usage: counted.at(-1) } : {}),
    ...(counted.length > 1 ? { usages: counted } : {}),
    ...(stop === null ? {} : { stopReason: stop }),
    ...(failure === null ? {} : { failure: cleanFailure(failure, clean) }),
    ...(recovered ? { failTimes: first.times } : {}),
  };
}

/** The texts of a failure can quote a credential. */
function cleanFailure(failure: Failure, clean: (text: string) => string): Failure {
  if ('text' in failure && failure.text !== undefined) return { ...failure, text: clean(failure.text) };
  if (!('message' in failure) || failure.message === undefined) return failure;
  return { ...failure, message: clean(failure.message) };
}

/** Tools that follow each other in one answer were asked for together. */
function toSteps(parts: RecordedReply['parts'], quote: (text: string) => string): Step[] {
  return parts.map((part, index) => {
    const step = writeRecordedStep(part, quote);
    return step.do === 'tool' && parts[index - 1]?.kind === 'used' ? { ...step, alongside: true } : step;
  });
}
