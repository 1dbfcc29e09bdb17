import type { ClaudeCall } from './call.js';
import { userEvent } from './output.js';

/**
 * Ends the program on signals as the real one ends: without a result, and with 0 after an interruption. Returns a
 * function that ends this.
 */
export function endOnSignals(call: ClaudeCall, stopTools: () => void): () => void {
  const end = (signal: Signal) => {
    stopTools();
    if (signal === 'SIGINT') showInterruption(call);
    process.exit(EXIT_CODES[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  return letSignalsKill;
}

/** Lets signals end the process at once, for scripts in which it crashes. */
export function letSignalsKill(): void {
  for (const signal of SIGNALS) process.removeAllListeners(signal);
}

type Signal = keyof typeof EXIT_CODES;
const EXIT_CODES = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 } as const;
const SIGNALS: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function showInterruption({ output, runningTool }: ClaudeCall): void {
  if (runningTool === null) {
    output.emit(userEvent([{ type: 'text', text: '[Request interrupted by user]' }]));
    return;
  }
  const content =
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.";
  output.emit(userEvent([{ type: 'tool_result', content, is_error: true, tool_use_id: runningTool }]));
  output.emit(userEvent([{ type: 'text', text: '[Request interrupted by user for tool use]' }]));
}
