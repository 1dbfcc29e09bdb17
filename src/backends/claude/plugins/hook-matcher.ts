/**
 * Whether a matcher selects a tool, or what else an event is about. It is a list of names, or else a pattern for any
 * part of the name. Seen in Claude Code 2.1.325, which ignores a pattern that cannot be read.
 */
export function matchesHook(matcher: string, about: string): boolean {
  if (matcher === '' || matcher === '*') return true;
  if (/^[\w ,|-]+$/.test(matcher)) return matcher.split(/[,|]/).some((name) => name.trim() === about);
  try {
    return new RegExp(matcher).test(about);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}

/**
 * Leaves out handlers that are registered twice, which Claude Code 2.1.325 runs once: at the place of the first, with
 * the options of the last.
 */
export function withoutTwins<Handler>(
  handlers: readonly Handler[],
  identify: (handler: Handler) => string,
): Handler[] {
  return [...new Map(handlers.map((handler) => [identify(handler), handler])).values()];
}
