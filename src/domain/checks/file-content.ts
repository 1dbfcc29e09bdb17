import type { Evidence, FileContent } from '../evidence/evidence.js';
import { countNoun } from './text.js';

/** Returns the whole text of a file if the evidence has it. `absent` means that the file certainly does not exist. */
export function contentOf(
  { files, filesLeftOut, filesAbsent }: Evidence,
  path: string,
): FileContent | { readonly kind: 'absent' } {
  const file = files.find((candidate) => candidate.path === path);
  if (filesAbsent?.includes(path)) return { kind: 'absent' };
  if (file?.content !== undefined) return file.content;
  if (file?.change === 'deleted') return { kind: 'absent' };
  if (file !== undefined) return { kind: 'whole', text: file.preview, scrubbed: false };
  if (filesLeftOut === undefined) return { kind: 'absent' };
  return {
    kind: 'unknown',
    why: `the list leaves out ${countNoun(filesLeftOut, 'file')}, and the check did not ask for this one (a check that combines others must pass on their \`reads\`)`,
  };
}
