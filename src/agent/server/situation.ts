import { removeBetween } from '../../domain/common/between.js';
import { type Caller, undoQuoting } from './caller.js';
import type { Message, ModelRequest, RequestedCall } from './model/request.js';

/** The state of a conversation: the user's last prompt, and what the agent has done since. */
export interface Situation {
  readonly prompt: string;
  /** Its position among the prompts of the conversation, from 1; 0 if there is none. */
  readonly number: number;
  /** The user's earlier prompts. */
  readonly earlier: string;
  /** The tools that the agent has called since, with their results. */
  readonly calls: readonly PastCall[];
  /** The working directory that the CLI reports. */
  readonly cwd: string | null;
  /** How often the CLI has asked by itself to go on after the prompt, because an answer stopped early. */
  readonly resumed: number;
}

export interface PastCall extends RequestedCall {
  readonly result: string;
  readonly isError: boolean;
}

/** Finds the last real prompt of a request and what came after it. */
export function readSituation({ messages, system }: ModelRequest, caller: Caller): Situation {
  const prompts = messages.flatMap((message, index) => {
    const text = message.role === 'user' ? stripContext(message.text) : '';
    return text === '' || isOwnWord(text, caller) ? [] : [{ index, text }];
  });
  const last = prompts.at(-1);
  const everything = [system, ...messages.map((message) => (message.role === 'user' ? message.text : ''))];
  return {
    prompt: undoQuoting(last?.text ?? '', caller),
    number: prompts.length,
    earlier: prompts
      .slice(0, -1)
      .map(({ text }) => text)
      .join('\n'),
    calls: collectCalls(messages.slice((last?.index ?? -1) + 1)),
    cwd: findWorkingFolder(everything),
    resumed: messages
      .slice((last?.index ?? -1) + 1)
      .filter((message) => message.role === 'user' && isOwnWord(stripContext(message.text), caller)).length,
  };
}

/**
 * Parts of a user's message that CLIs add themselves: reminders (Claude Code), the environment and instructions
 * (codex), the session context (gemini).
 */
const CONTEXT_TAGS = [
  'system-reminder',
  'environment_context',
  'user_instructions',
  'session_context',
  'INSTRUCTIONS',
];

function stripContext(text: string): string {
  return CONTEXT_TAGS.reduce((rest, tag) => removeBetween(rest, `<${tag}>`, `</${tag}>`), text)
    .replace(/^# AGENTS\.md instructions for .*$/m, '')
    .trim();
}

/**
 * What CLIs say by themselves in the user's place. Claude Code 2.1.325 asks the model to go on after `max_tokens`,
 * after `refusal` and after an answer without words; codex 0.128 warns about the way in which a file was changed.
 */
const OWN_WORDS: Readonly<Record<string, readonly string[]>> = {
  claude: [
    'Output token limit hit. Resume directly',
    'Your response above was stopped by a safety classifier',
    '[Your previous response had no visible output',
    '[Your previous response reached the output limit with no visible output',
    'Your tool call was malformed and could not be parsed. Please retry.',
  ],
  codex: ['Warning: apply_patch was requested via'],
};

function isOwnWord(text: string, { cli }: Caller): boolean {
  return cli !== null && (OWN_WORDS[cli] ?? []).some((words) => text.startsWith(words));
}

function collectCalls(messages: readonly Message[]): PastCall[] {
  const results = messages.flatMap((message) => (message.role === 'tools' ? message.results : []));
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  return calls.map((call, index) => {
    const result = results.find(({ id }) => id !== null && id === call.id) ?? results[index];
    return { ...call, result: result?.text ?? '', isError: result?.isError ?? false };
  });
}

/** Every CLI reports its working directory to the model, each in its own words. */
const WORKING_FOLDER = /(?:working directory|working in the directory|<cwd>)[: ]*(\/[^\n<]*)/i;

function findWorkingFolder(texts: readonly string[]): string | null {
  for (const text of texts) {
    const found = WORKING_FOLDER.exec(text)?.[1];
    if (found !== undefined) return found.trim();
  }
  return null;
}
