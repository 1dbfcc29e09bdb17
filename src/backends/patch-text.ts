/** The patches of codex and of OpenCode with GPT models, which name files and lines and no positions. */

/** A patch that makes a file, or replaces it. */
export function writePatch(path: string, content: string): string {
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  return wrap([`*** Add File: ${path}`, ...lines.map((line) => `+${line}`)]);
}

/** Whether a patch leaves exactly this text: it ends the last line, and drops a blank one at the end. */
export function canBePatched(content: string): boolean {
  return content === '' || /[^\n]\n$/.test(content);
}

/** A patch that replaces lines. It knows whole lines only: the tool itself refuses a part of one. */
export function editPatch(path: string, old: string, text: string): string {
  const lines = (mark: string, block: string) => block.split('\n').map((line) => `${mark}${line}`);
  return wrap([`*** Update File: ${path}`, '@@', ...lines('-', old), ...lines('+', text)]);
}

function wrap(lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
}
