import { Document, isScalar, visit } from 'yaml';
import { cleanText, fencedBlock, INVISIBLE } from './safe-text.js';

/** Renders a fenced block that hides nothing: invisible characters are written out. */
export function exactBlock(text: string, language: string): string {
  const writeOut = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;
  // What is left of these belongs to an emoji.
  const visible = text
    .replace(INVISIBLE, writeOut)
    .replace(/(?!\u200d|\ufe0e|\ufe0f)[^\n\t\x20-\x7e]/gu, (character) =>
      cleanText(character) === character ? character : writeOut(character),
    );
  return fencedBlock(visible, { limit: Number.POSITIVE_INFINITY, whole: null, language });
}

/** Renders data as a block of YAML: multi-line strings unchanged, short lists such as commands on one line. */
export function yamlBlock(data: unknown): string {
  const document = new Document(data, { aliasDuplicateObjects: false });
  visit(document, {
    Seq: (key, list) => {
      const words = list.items.map((item) => (isScalar(item) ? String(item.value) : '\n'));
      if (key !== null && !words.some((word) => word.includes('\n')) && words.join().length < 100) {
        list.flow = true;
      }
    },
  });
  return exactBlock(document.toString({ lineWidth: 0, blockQuote: 'literal' }), 'yaml');
}
