import type { Evidence, FileContent } from '../evidence/evidence.js';

/** All of a file's text as far as the evidence goes; `absent` where it is sure that there is no such file. */
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
    why: `${filesLeftOut} files are not listed, and this check did not ask for it (a check made of others hands on their \`reads\`)`,
  };
}
