import { type Caller, undoQuoting } from './caller.js';
import type { Message, ModelRequest, RequestedCall } from './model/request.js';
import { readUserText } from './model/user-text.js';

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
  const spoken = messages.flatMap((message, index) => {
    if (message.role !== 'user') return [];
    const isFirst = !messages.slice(0, index).some(({ role }) => role === 'assistant');
    const { text, asksToGoOn } = readUserText(message.text, caller, isFirst);
    return text === '' && !asksToGoOn ? [] : [{ index, text, asksToGoOn }];
  });
  const prompts = spoken.filter(({ text }) => text !== '');
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
    resumed: spoken.filter(({ index, asksToGoOn }) => asksToGoOn && index >= (last?.index ?? 0)).length,
  };
}

function collectCalls(messages: readonly Message[]): PastCall[] {
  const results = messages.flatMap((message) => (message.role === 'tools' ? message.results : []));
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
  return calls.map((call, index) => {
    const result = results.find(({ id }) => id !== null && id === call.id) ?? results[index];
    return { ...call, result: result?.text ?? '', isError: result?.isError ?? false };
  });
}

const WORKING_FOLDER = /(?:working directory|working in the directory|<cwd>)[: ]*(\/[^\n<]*)/i;

/** Finds the working directory: every CLI reports it to the model, each in its own words. */
export function findWorkingFolder(texts: readonly string[]): string | null {
  for (const text of texts) {
    const found = WORKING_FOLDER.exec(text)?.[1];
    if (found !== undefined) return found.trim();
  }
  return null;
}
