import type { AgentScript, Invocation, Response } from '../../domain/agent-script.js';
import { fingerprint } from '../../domain/text/fingerprint.js';
import { type Answer, answer, answerToolResult, describePlace } from '../engine/engine.js';
import { explainDivergence, explainNoMatch } from '../engine/explain.js';
import type { Call } from '../engine/match.js';
import { type PromptView, readPrompt } from '../engine/prompt-view.js';
import type { TemplateValues } from '../engine/template.js';
import { type CallLog, openCallLog } from './call-log.js';
import { loadScript } from './load-script.js';
import type { Surroundings } from './surroundings.js';

/** A prompt for the script, with everything that a rule can test. */
export interface Question {
  readonly prompt: string;
  readonly source: Invocation['promptSource'];
  readonly conversation: string;
  readonly model?: string | undefined;
  readonly systemPrompt?: string | undefined;
  readonly earlier?: string | undefined;
  readonly flags?: readonly string[];
  /** The file that keeps the conversation if the caller keeps no log. */
  readonly memory?: string | undefined;
}

/** The response to play. */
export interface FoundResponse {
  readonly response: Response;
  readonly prompt: PromptView;
  readonly values: TemplateValues;
  /** Set if the response comes from a recording. */
  readonly recorded?: RecordedResponse;
}

/** What a recorded response needs to be played somewhere else. */
interface RecordedResponse {
  /** The folder of the recorded agent. */
  readonly workspace: string;
  /** What the prompt calls by another name now. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The only backend whose stand-in does recorded tool calls again. */
const REPLAYED_BACKEND = 'claude';

/** A mistake in the script, or a prompt it does not answer. The real CLI never prints such an error. */
export class ScriptMistake extends Error {}

/** Finds the script's answer to a prompt, and records every call. */
export class Responder {
  readonly #around: Surroundings;
  readonly #base: Omit<Invocation, 'outcome'>;
  readonly #log: CallLog | null;
  #script: AgentScript | null = null;

  constructor(backend: string, around: Surroundings) {
    this.#around = around;
    const { argv, cwd, env } = around;
    this.#log = env.RALPH_E2E_AGENT_LOG === undefined ? null : openCallLog(env.RALPH_E2E_AGENT_LOG);
    this.#base = {
      at: new Date().toISOString(),
      backend,
      argv: argv.map((word) => (word.length > 200 ? `${word.slice(0, 200)}…` : word)),
      cwd,
      environmentNames: Object.keys(env).sort(),
      promptSource: 'none',
      promptBytes: 0,
      conversation: '',
      place: null,
      matched: null,
      ...(env.RALPH_E2E_AGENT_SCRIPT === undefined ? {} : { script: env.RALPH_E2E_AGENT_SCRIPT }),
    };
  }

  /** Whether the harness wants the CLI to be logged in; a script can override it. */
  get loggedIn(): boolean {
    return this.#around.env.RALPH_E2E_AGENT_LOGIN !== 'absent';
  }

  async script(): Promise<AgentScript> {
    this.#script ??= await loadScript(this.#around.env.RALPH_E2E_AGENT_SCRIPT);
    return this.#script;
  }

  /** Finds the response that answers. Records it before it plays, because a response that hangs is killed and leaves no trace. */
  async ask(question: Question): Promise<FoundResponse> {
    const { script, log, call, record } = await this.#prepare(question);
    // Other stand-ins would run a recorded tool call without looking at it.
    if (script.recording !== undefined && this.#base.backend !== REPLAYED_BACKEND)
      this.diverge(`Ralph called ${this.#base.backend}, and only ${REPLAYED_BACKEND} is replayed.`);
    const found = answer(script, log.state(script, this.#base.script), call);
    if (found.kind === 'none') {
      const isRecording = script.recording !== undefined;
      const detail = isRecording ? explainDivergence(found) : explainNoMatch(call.prompt, found);
      if (isRecording) record({ outcome: 'diverged', detail });
      else record({ outcome: 'no-match', detail, unanswered: call.prompt.text });
      throw new ScriptMistake(detail);
    }
    record({ outcome: 'played', place: found.place, matched: describePlace(found.place) });
    const { place } = found;
    const recorded = place.kind === 'rule' ? script.rules[place.rule]?.when.recorded : undefined;
    const ready = toFound(found, call);
    if (recorded === undefined) return ready;
    return { ...ready, recorded: { workspace: recorded.workspace, renamed: found.renamed ?? new Map() } };
  }

  /** Ends the call, because what the agent got is not what the recorded one got. */
  diverge(detail: string): never {
    this.#log?.append({ ...this.#base, at: new Date().toISOString(), outcome: 'diverged', detail });
    throw new ScriptMistake(detail);
  }

  /** Finds the response that a tool's result triggers; null if no rule matches. */
  async askAfterTool(question: Question, toolResult: string): Promise<FoundResponse | null> {
    const { rules } = await this.script();
    if (!rules.some(({ when }) => when.toolResult !== undefined)) return null;
    const { script, log, call, record } = await this.#prepare(question);
    const found = answerToolResult(script, log.state(script, this.#base.script), { ...call, toolResult });
    if (found === null) return null;
    record({ outcome: 'played', place: found.place, matched: describePlace(found.place), afterTool: true });
    return toFound(found, call);
  }

  async #prepare(question: Question) {
    const { conversation, source, model, systemPrompt, earlier, flags } = question;
    const { cwd, onCall } = this.#around;
    const log = this.#log ?? openCallLog(question.memory, conversation);
    const prompt = readPrompt(question.prompt);
    const about = { model, systemPrompt, earlier, flags, session: conversation };
    const call: Call = { prompt, conversation, cwd, ...about };
    const record = (about: Pick<Invocation, 'outcome'> & Partial<Invocation>) => {
      const promptBytes = Buffer.byteLength(question.prompt);
      const promptHash = fingerprint(question.prompt.trim());
      const at = new Date().toISOString();
      const made = {
        ...this.#base,
        at,
        promptSource: source,
        promptBytes,
        promptHash,
        conversation,
        ...about,
      };
      log.append(made);
      onCall?.(made);
    };
    return { script: await this.script(), log, call, record };
  }

  /** Records a call that is not a prompt, or that failed because of the script. */
  record(outcome: 'not-a-prompt' | 'refused' | 'script-error', detail?: string): void {
    this.#log?.append({ ...this.#base, outcome, ...(detail === undefined ? {} : { detail }) });
  }
}

function toFound({ response, captures }: Extract<Answer, { kind: 'answer' }>, call: Call): FoundResponse {
  const { prompt, cwd, conversation: session } = call;
  return { response, prompt, values: { captures, cwd, session, prompt: prompt.text } };
}
