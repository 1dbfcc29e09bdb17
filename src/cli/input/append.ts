/** Collects the values of a repeatable option. */
export function append(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
