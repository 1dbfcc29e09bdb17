/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? String(error.message) : describeThrown(error);
}

/** Returns the stack of whatever was thrown, for bugs. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? String(error.stack ?? error.message) : describeThrown(error);
}

/** Some objects cannot be turned into a text: those without a prototype, or with a method that throws. */
function describeThrown(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}
