import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AgentScript, Invocation } from '../../domain/agent-script.js';
import { makeFolderSync } from '../../exec/files/make-folder.js';
import { advance, EMPTY_STATE, type EngineState } from '../engine/engine.js';

/** The record of all calls to the stand-ins that share a script. It is also their memory: the state is rebuilt from it. */
export interface CallLog {
  append(invocation: Invocation): void;
  /** Rebuilds the engine's state from earlier calls with this script. */
  state(script: AgentScript, path: string | undefined): EngineState;
}

/**
 * Opens a log at a path; without a path nothing is remembered. A log in the user's settings folder, which nobody asked
 * for, outlives the test that wrote it: there, only calls of `onlyConversation` count.
 */
export function openCallLog(path: string | undefined, onlyConversation?: string): CallLog {
  if (path === undefined) return { append: () => {}, state: () => EMPTY_STATE };
  return {
    append(invocation) {
      makeFolderSync(dirname(path));
      appendFileSync(path, `${JSON.stringify(invocation)}\n`);
    },
    state: (script, scriptPath) =>
      readCalls(path)
        .filter(({ outcome }) => outcome === 'played' || outcome === 'no-match')
        .filter((call) => call.script === undefined || call.script === scriptPath)
        .filter(({ conversation }) => onlyConversation === undefined || conversation === onlyConversation)
        .reduce((state, call) => remember(script, state, call), EMPTY_STATE),
  };
}

function remember(script: AgentScript, state: EngineState, call: Invocation): EngineState {
  const after = advance(script, state, call.conversation, call.place);
  // In the middle of an answer the rule counts as used, but the conversation does not advance.
  return call.afterTool === true ? { ...after, conversations: state.conversations } : after;
}

/** Reads all calls from a log. */
export function readCalls(path: string): Invocation[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): Invocation => JSON.parse(line));
}
