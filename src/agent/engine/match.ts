import type { Condition, Pattern } from '../../domain/agent-script.js';
import { compareTexts } from '../../domain/recording/alike.js';
import { escapeRegex } from '../../domain/text/escape-regex.js';
import type { PromptView } from './prompt-view.js';

/** Everything about a call that a rule can test. */
export interface Call {
  readonly prompt: PromptView;
  readonly conversation: string;
  readonly cwd: string;
  readonly model?: string;
  readonly systemPrompt?: string;
  /** The earlier prompts of the conversation, if the caller knows them. */
  readonly earlier?: string;
  readonly toolResult?: string;
  readonly session?: string;
  readonly flags?: readonly string[];
}

/** Whether a condition holds for a call. Captures of all its patterns share one numbering, from 1. */
export type Fit =
  | {
      readonly fits: true;
      readonly captures: readonly string[];
      /** What has another name than in the recording that the condition comes from. */
      readonly renamed?: ReadonlyMap<string, string>;
    }
  | { readonly fits: false; readonly reason: string };

/** Tests a condition; `turn` is the number of this prompt in its conversation. */
export function testCondition(when: Condition, call: Call, turn: number): Fit {
  const { hats, events } = call.prompt;
  if (when.hat !== undefined && !hats.includes(when.hat)) {
    return miss(`hat "${when.hat}" is not active (active: ${list(hats)})`);
  }
  if (when.event !== undefined && !events.some(({ topic }) => topic === when.event)) {
    return miss(`event "${when.event}" is not pending (pending: ${list(events.map(({ topic }) => topic))})`);
  }
  if (when.coordinating !== undefined && when.coordinating !== (hats.length === 0)) {
    return miss(when.coordinating ? `a hat is active: ${list(hats)}` : 'no hat is active');
  }
  if (when.turn !== undefined && when.turn !== turn)
    return miss(`this is prompt ${turn} of its conversation`);
  const missing = when.flags?.filter((flag) => !call.flags?.includes(flag)) ?? [];
  if (missing.length > 0) return miss(`the call has no ${list(missing)}`);
  return when.recorded === undefined ? fitTexts(when, call) : fitRecorded(when.recorded, call);
}

function fitRecorded(recorded: NonNullable<Condition['recorded']>, { prompt, cwd }: Call): Fit {
  const found = compareTexts(
    { text: recorded.prompt, workspace: recorded.workspace },
    { text: prompt.text, workspace: cwd },
  );
  return found.alike
    ? { fits: true, captures: [], renamed: found.renamed }
    : miss(`the prompt differs from the recorded one:\n${found.difference}`);
}

type TextKey = Exclude<keyof Condition, 'hat' | 'event' | 'coordinating' | 'turn' | 'flags' | 'recorded'>;

/**
 * The texts of a call that patterns test, in the order in which their captures are numbered: what a rule is named after,
 * and what a mismatch says.
 */
const TEXTS: readonly (readonly [TextKey, string, string, (call: Call) => string | undefined])[] = [
  ['objective', 'objective', 'the objective', ({ prompt }) => prompt.objective],
  ['memories', 'memories', 'the memories', ({ prompt }) => prompt.memories],
  ['prompt', 'prompt', 'the prompt', ({ prompt }) => prompt.text],
  ['systemPrompt', 'system prompt', 'the system prompt', (call) => call.systemPrompt],
  ['earlier', 'earlier prompt', 'the earlier prompts', (call) => call.earlier],
  ['toolResult', 'tool result', 'the last tool result', (call) => call.toolResult],
  ['model', 'model', 'the model', (call) => call.model],
  ['cwd', 'cwd', 'the working directory', (call) => call.cwd],
  ['session', 'session', 'the session', (call) => call.session],
];

/** Lists the patterns of a condition, in the order in which their captures are numbered. */
export function listPatterns(when: Condition): Pattern[] {
  return TEXTS.flatMap(([key]) => when[key] ?? []);
}

function fitTexts(when: Condition, call: Call): Fit {
  const captures: string[] = [];
  for (const [key, , where, read] of TEXTS) {
    const text = read(call);
    for (const pattern of [when[key] ?? []].flat()) {
      const found = text === undefined ? null : capture(pattern, text);
      if (found === null) return miss(`${where} does not match ${describePattern(pattern)}`);
      captures.push(...found);
    }
  }
  return { fits: true, captures };
}

/** Returns the groups of a match; a group that did not take part is empty. */
function capture(pattern: Pattern, text: string): readonly string[] | null {
  if ('any' in pattern) return [];
  if ('exact' in pattern) return text === pattern.exact ? [] : null;
  if ('contains' in pattern) return text.includes(pattern.contains) ? [] : null;
  const regex = 'glob' in pattern ? globToRegex(pattern.glob) : new RegExp(pattern.regex, pattern.flags);
  const match: readonly (string | undefined)[] | null = regex.exec(text);
  return match === null ? null : match.slice(1).map((group) => group ?? '');
}

/** Formats a pattern for messages and rule names. */
function describePattern(pattern: Pattern): string {
  if ('any' in pattern) return 'anything';
  if ('exact' in pattern) return `exactly ${JSON.stringify(pattern.exact)}`;
  if ('contains' in pattern) return JSON.stringify(pattern.contains);
  if ('glob' in pattern) return `the glob ${JSON.stringify(pattern.glob)}`;
  return `/${pattern.regex}/${pattern.flags ?? ''}`;
}

function miss(reason: string): Fit {
  return { fits: false, reason };
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

/**
 * Compiles a glob over a whole prompt, as in claudeless: `*` is any text (including line feeds), `?` one character,
 * `[a-z]` and `[!a-z]` a class. Prompts are not paths, so a slash is an ordinary character.
 */
export function globToRegex(glob: string): RegExp {
  let source = '';
  for (let index = 0; index < glob.length; index += 1) {
    const character = glob[index] ?? '';
    const close = character === '[' ? glob.indexOf(']', index + 2) : -1;
    if (character === '*') source += '[\\s\\S]*';
    else if (character === '?') source += '[\\s\\S]';
    else if (close > 0) {
      source += `[${glob
        .slice(index + 1, close)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')}]`;
      index = close;
    } else source += escapeRegex(character);
  }
  return new RegExp(`^${source}$`);
}

/** Names a rule after its condition. */
export function nameRule(when: Condition): string {
  const parts = [
    when.hat === undefined ? [] : [`hat ${when.hat}`],
    when.event === undefined ? [] : [`event ${when.event}`],
    when.coordinating === undefined ? [] : [when.coordinating ? 'no hat' : 'any hat'],
    when.turn === undefined ? [] : [`turn ${when.turn}`],
    when.flags ?? [],
    ...TEXTS.toSorted(([one], [other]) => Number(other === 'prompt') - Number(one === 'prompt')).map(
      ([key, name]) => [when[key] ?? []].flat().map((pattern) => `${name} ${describePattern(pattern)}`),
    ),
  ].flat();
  return `on ${parts.length === 0 ? 'any prompt' : parts.join(', ')}`;
}
