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

function fitTexts(when: Condition, call: Call): Fit {
  const texts: [string, Pattern | undefined, string | undefined][] = [
    ['the objective', when.objective, call.prompt.objective],
    ['the memories', when.memories, call.prompt.memories],
    ...(when.prompt ?? []).map((pattern): [string, Pattern, string] => [
      'the prompt',
      pattern,
      call.prompt.text,
    ]),
    ['the system prompt', when.systemPrompt, call.systemPrompt],
    ['the earlier prompts', when.earlier, call.earlier],
    ['the last tool result', when.toolResult, call.toolResult],
    ['the model', when.model, call.model],
    ['the working directory', when.cwd, call.cwd],
    ['the session', when.session, call.session],
  ];
  const captures: string[] = [];
  for (const [where, pattern, text] of texts) {
    if (pattern === undefined) continue;
    const found = text === undefined ? null : capture(pattern, text);
    if (found === null) return miss(`${where} does not match ${describePattern(pattern)}`);
    captures.push(...found);
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

const PATTERNS = [
  { key: 'objective', words: 'objective' },
  { key: 'memories', words: 'memories' },
  { key: 'systemPrompt', words: 'system prompt' },
  { key: 'earlier', words: 'earlier prompt' },
  { key: 'toolResult', words: 'tool result' },
  { key: 'model', words: 'model' },
  { key: 'cwd', words: 'cwd' },
  { key: 'session', words: 'session' },
] as const;

/** Names a rule after its condition. */
export function nameRule(when: Condition): string {
  const parts = [
    when.hat === undefined ? [] : [`hat ${when.hat}`],
    when.event === undefined ? [] : [`event ${when.event}`],
    when.coordinating === undefined ? [] : [when.coordinating ? 'no hat' : 'any hat'],
    when.turn === undefined ? [] : [`turn ${when.turn}`],
    when.flags ?? [],
    (when.prompt ?? []).map((pattern) => `prompt ${describePattern(pattern)}`),
    PATTERNS.flatMap(({ key, words }) => {
      const pattern = when[key];
      return pattern === undefined ? [] : [`${words} ${describePattern(pattern)}`];
    }),
  ].flat();
  return `on ${parts.length === 0 ? 'any prompt' : parts.join(', ')}`;
}
