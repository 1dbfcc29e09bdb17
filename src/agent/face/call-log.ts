import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AgentScript, Invocation } from '../../domain/agent-script.js';
import { makeFolderSync } from '../../exec/files/make-folder.js';
import { advance, EMPTY_STATE, type EngineState } from '../engine/engine.js';

/** The record of all calls of the stand-ins that share a script. It is also their memory: state is folded from it. */
export interface CallLog {
  append(invocation: Invocation): void;
  /** What the engine remembers of earlier calls with this script. */
  state(script: AgentScript, path: string | undefined): EngineState;
}

/**
 * Opens a log at a path; without one nothing is remembered. A log that nobody asked for, in the settings of the user,
 * outlives the test that wrote it: there only the conversation itself counts.
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
  // In the middle of an answer the rule is entered, but the conversation stays where it is.
  return call.afterTool === true ? { ...after, conversations: state.conversations } : after;
}

/** Reads a log back, for those who ask what was never used. */
export function readCalls(path: string): Invocation[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): Invocation => JSON.parse(line));
}
