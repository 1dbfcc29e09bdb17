/** For an option that may be given several times. */
export function append(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value];
}
