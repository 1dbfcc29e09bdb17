import { createInterface } from 'node:readline/promises';
import type { Estimate } from '../domain/money/spending.js';
import { wrapText } from '../report/terminal/layout.js';
import type { TerminalStream } from '../report/terminal/terminal.js';
import { describeEstimate, describeTooMuch } from '../report/words/money.js';

/** A live run that should cost more than this asks before it starts. */
const ASK_ABOVE_USD = 5;

interface ApproveOptions {
  /** Where people type. */
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where people read. */
  readonly output: TerminalStream;
  /** From `--yes`, or because nobody is there who could answer. */
  readonly yes: boolean;
  /** From `--max-cost`. */
  readonly maxUsd?: number | undefined;
  /** More lines to print below the estimate. */
  readonly notes: readonly string[];
  readonly signal: AbortSignal;
}

/** Prints the estimate of a live run and, on a terminal, asks whether to go on if it costs much. Returns the answer. */
export function createApproval(options: ApproveOptions): (estimate: Estimate) => Promise<boolean> {
  const { input, output, yes, maxUsd = Number.POSITIVE_INFINITY, notes, signal } = options;
  return async (estimate) => {
    const over = estimate.usd > maxUsd ? [describeTooMuch(maxUsd)] : [];
    output.write(`${wrapText([describeEstimate(estimate), ...over, ...notes].join('\n'), output)}\n`);
    const people = input.isTTY === true && output.isTTY === true;
    if (yes || !people || !isMuch(estimate, maxUsd)) return true;
    const reader = createInterface({ input, output, terminal: false });
    try {
      // The end of the input is no answer, and no answer is no.
      const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
      const answer = await Promise.race([reader.question('Go on? [y/N] ', { signal }), closed]);
      return /^y(?:es)?$/i.test(answer.trim());
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    } finally {
      reader.close();
    }
  };
}

/** A price that nobody knows may be high. No run costs much more than its limit. */
function isMuch({ usd, unpriced }: Estimate, maxUsd: number): boolean {
  return Math.min(usd, maxUsd) > ASK_ABOVE_USD || unpriced.length > 0;
}
