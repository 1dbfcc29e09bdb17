// Finds the mutants that do not compile in the messages of the compiler.

/** @typedef {{ file_name: string, byte_start: number, byte_end: number, expansion?: { span: Span } | null }} Span */
/** @typedef {{ level: string, rendered?: string | null, spans: Span[], children?: CompilerMessage[] }} CompilerMessage */
/** @typedef {{ reason: string, manifest_path?: string, message?: CompilerMessage }} CargoMessage */
/** @typedef {import('./place.mjs').Region} Region */

/**
 * The drawn mutants to blame for the errors. An error that only an own mutant, or none, can have caused is thrown.
 * @param {readonly CargoMessage[]} messages
 * @param {Map<string, Region[]>} places where the mutants are, by file
 * @param {ReadonlySet<string>} own
 * @returns {Set<string>}
 */
export function findGuilty(messages, places, own) {
  const guilty = new Set();
  /** @type {string[]} */
  const unexplained = [];
  for (const { reason, manifest_path = '', message } of messages) {
    if (reason !== 'compiler-message' || message?.level !== 'error') continue;
    // "aborting due to 2 previous errors" has no place.
    const spans = allSpans(message);
    if (spans.length === 0) continue;
    const crate = manifest_path.split('/').at(-2) ?? '';
    const near = spans.flatMap((span) => regionsAt(span, crate, places));
    const drawn = near.filter(({ ids }) => !ids.some((id) => own.has(id)));
    const smallest = drawn.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
    if (smallest !== undefined) for (const id of smallest.ids) guilty.add(id);
    else {
      const names = [...new Set(near.flatMap(({ ids }) => ids))];
      const where = names.length === 0 ? 'outside of all mutants' : `in ${names.join(', ')}`;
      unexplained.push(`${where}:\n${message.rendered ?? ''}`);
    }
  }
  if (guilty.size === 0) throw new Error(`Ralph with its mutants does not compile ${unexplained.join('\n')}`);
  return guilty;
}

/**
 * @param {CompilerMessage} message
 * @returns {Span[]}
 */
function allSpans(message) {
  const own = message.spans.flatMap((span) => {
    const all = [];
    for (let at = /** @type {Span | undefined} */ (span); at !== undefined; at = at.expansion?.span)
      all.push(at);
    return all;
  });
  return [...own, ...(message.children ?? []).flatMap(allSpans)];
}

/**
 * @param {Span} span
 * @param {string} crate
 * @param {Map<string, Region[]>} places
 */
function regionsAt({ file_name, byte_start, byte_end }, crate, places) {
  const file = `${crate}/${file_name.slice(file_name.lastIndexOf('src/'))}`;
  return (places.get(file) ?? []).filter(({ start, end }) => byte_start < end && byte_end > start);
}
