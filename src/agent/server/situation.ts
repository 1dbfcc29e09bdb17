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
}

export interface PastCall extends RequestedCall {
  readonly result: string;
  readonly isError: boolean;
}

/** Finds the last real prompt of a request and what came after it. */
export function readSituation({ messages, system }: ModelRequest, caller: Caller): Situation {
  const prompts = messages.flatMap((message, index) => {
    const text = message.role === 'user' ? stripContext(message.text) : '';
    return text === '' ? [] : [{ index, text }];
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
