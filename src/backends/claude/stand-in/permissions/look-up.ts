/** The entry of a table by a name that anybody may have written: `constructor` is no entry. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
