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

/** Words that name an error of each type. An unknown type is searched for by its own name. */
const VOCABULARY: Readonly<Record<string, RegExp>> = {
  file_not_found: /not found|no such file|does(?: not|n't) exist|missing|couldn't find|cannot find/i,
  syntax_error: /syntax|parse|unexpected token|invalid/i,
  permission_denied: /permission|denied|not allowed|forbidden|blocked/i,
  timeout: /time(?:d)? ?out|too long|deadline/i,
  test_failure: /fail(?:ed|ing|ure)?|red\b/i,
  command_not_found: /not found|unknown command|not recognised|not recognized/i,
};

/** Matches the output of a crash, but not a sentence about one. */
const CRASH =
  /^Traceback \(most recent call last\):|^[ \t]+at .{1,200}:\d+:\d+\)$|^thread '.*' panicked at|^goroutine \d+ \[|^Unhandled(?:PromiseRejection| exception)/m;

const ACKNOWLEDGED =
  /\b(?:error|problem|issue|fail(?:ed|s|ure)?|unable|couldn't|could not|can't|cannot|didn't|not found|missing|blocked|denied)\b/i;

/** Matches a sentence that offers a way to recover. */
const RECOVERY =
  /\b(?:let(?:'|’)?s|let me|try|instead|alternatively|check|verify|could you|you (?:can|could)|please|would you like|should I|I(?:'|’)ll|I will|I can)\b/i;

/** Tests whether an answer contains no raw crash output, names the error and, unless `shouldRecover` is false, offers a way to recover. */
export function assertErrorHandledGracefully(
  response: string,
  errorType: string,
  { shouldRecover = true }: { readonly shouldRecover?: boolean } = {},
): ErrorHandlingResult {
  const crashed = CRASH.test(response);
  const about = VOCABULARY[errorType] ?? new RegExp(errorType.replace(/[_\W]+/g, '\\W*'), 'i');
  const acknowledged = about.test(response) && ACKNOWLEDGED.test(response);
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
