/** Finds many short texts at once, in time that does not depend on how many there are (Aho and Corasick). */
export interface Triggers {
  /**
   * Calls `onHit` with the number of each text that occurs, and the index of its last character. Line breaks inside an
   * occurrence do not count: programs break long values into lines. Returns the lengths of the texts that have begun at
   * the end, the longest first.
   */
  readonly scan: (
    text: string,
    from: number,
    onHit: (trigger: number, at: number) => void,
  ) => readonly number[];
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Builds an automaton for texts of single bytes. It ignores case: callers look again at what it finds. */
export function buildTriggers(texts: readonly string[]): Triggers {
  const columns = new Uint8Array(65536);
  let width = 1;
  for (const code of new Set(texts.flatMap((text) => [...text.toLowerCase()].map((c) => c.charCodeAt(0))))) {
    columns[code] = width;
    const upper = String.fromCharCode(code).toUpperCase();
    if (upper.length === 1) columns[upper.charCodeAt(0)] = width;
    width += 1;
  }
  const size = 1 + texts.reduce((sum, { length }) => sum + length, 0);
  const table = new Int32Array(size * width);
  const depths = new Int32Array(size);
  const fallbacks = new Int32Array(size);
  const endings: (number[] | undefined)[] = [];
  let count = 1;
  for (const [number, text] of texts.entries()) {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const cell = state * width + (columns[text.charCodeAt(at)] ?? 0);
      if (table[cell] === 0) {
        table[cell] = count;
        depths[count] = at + 1;
        count += 1;
      }
      state = table[cell] ?? 0;
    }
    endings[state] = [...(endings[state] ?? []), number];
  }
  completeTable();
  return {
    scan(text, from, onHit) {
      let state = 0;
      for (let at = from; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code === LINE_FEED || code === CARRIAGE_RETURN) continue;
        state = table[state * width + (columns[code] ?? 0)] ?? 0;
        const ending = state === 0 ? undefined : endings[state];
        if (ending !== undefined) for (const trigger of ending) onHit(trigger, at);
      }
      const begun: number[] = [];
      for (; state !== 0; state = fallbacks[state] ?? 0) begun.push(depths[state] ?? 0);
      return begun;
    },
  };

  /** Adds where each state goes on with a character that its own text does not have there, shortest texts first. */
  function completeTable(): void {
    const queue: number[] = [];
    for (let column = 0; column < width; column += 1) if (table[column] !== 0) queue.push(table[column] ?? 0);
    for (const state of queue) {
      const fallback = fallbacks[state] ?? 0;
      const inherited = endings[fallback];
      if (inherited !== undefined) endings[state] = [...(endings[state] ?? []), ...inherited];
      for (let column = 0; column < width; column += 1) {
        const cell = state * width + column;
        const elsewhere = table[fallback * width + column] ?? 0;
        const own = table[cell] ?? 0;
        if (own === 0) table[cell] = elsewhere;
        else {
          fallbacks[own] = elsewhere;
          queue.push(own);
        }
      }
    }
  }
}
