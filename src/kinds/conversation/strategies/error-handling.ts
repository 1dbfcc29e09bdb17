import { reportsError } from './error-words.js';

export interface ErrorHandlingResult {
  readonly passed: boolean;
  readonly graceful: boolean;
  readonly acknowledges_error: boolean;
  readonly suggests_recovery: boolean;
  readonly recovery_actions: readonly string[];
  /** Aliases of `acknowledges_error` and `suggests_recovery`. */
  readonly error_acknowledged: boolean;
  readonly recovery_suggested: boolean;
  readonly details: string;
}

/** Matches the output of a crash, but not a sentence about one. */
const CRASH =
  /^[ \t>]{0,8}Traceback \(most recent call last\):|^[ \t]{1,20}at .{1,200}:\d{1,9}(?::\d{1,9})?\)?$|^thread '.*' panicked at|^goroutine \d+ \[|^panic: |^Exception in thread "|^Segmentation fault|^(?:Uncaught|Unhandled) ?(?:PromiseRejection|exception|\w{0,40}Error\b)/m;

/** Matches a sentence that offers a way to recover. */
const RECOVERY =
  /\b(?:let(?:'|’)?s|let me|try|instead|alternatively|check|verify|retry|rerun|make sure|ensure|suggest|recommend|consider|perhaps|maybe|did you mean|do you (?:want|have|know)|(?:can|could|would|will) you|you (?:can|could|may|might|need to|should|will)|we (?:can|could|should)|please|would you like|want me to|(?:should|shall|can|could) I|I(?:'|’)(?:ll|d)|I (?:will|can|could|would)|I(?:'|’)m going to|happy to|to fix (?:this|it|that)|next step)\b/i;

/** Tests whether an answer contains no raw crash output, names the error and, unless `shouldRecover` is false, offers a way to recover. */
export function assertErrorHandledGracefully(
  response: string,
  errorType: string,
  { shouldRecover = true }: { readonly shouldRecover?: boolean } = {},
): ErrorHandlingResult {
  const crashed = CRASH.test(response);
  const acknowledged = reportsError(response, errorType);
  const actions = sentencesOf(response).filter((sentence) => RECOVERY.test(sentence));
  const graceful = !crashed && acknowledged;
  const passed = graceful && (!shouldRecover || actions.length > 0);
  return {
    passed,
    graceful,
    acknowledges_error: acknowledged,
    suggests_recovery: actions.length > 0,
    recovery_actions: actions,
    error_acknowledged: acknowledged,
    recovery_suggested: actions.length > 0,
    details: describe(crashed, acknowledged, actions.length, errorType),
  };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function describe(crashed: boolean, acknowledged: boolean, actions: number, errorType: string): string {
  if (crashed) return 'the answer contains a raw crash';
  if (!acknowledged) return `the answer does not mention ${errorType}`;
  return `the answer names the error and offers ${actions} way${actions === 1 ? '' : 's'} to recover`;
}
