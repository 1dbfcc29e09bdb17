/** The patch format of codex, and of OpenCode with GPT models: files and lines, without positions. */

/** Makes a patch that creates or replaces a file. */
export function writePatch(path: string, content: string): string {
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  return wrap([`*** Add File: ${path}`, ...lines.map((line) => `+${line}`)]);
}

/** Whether a patch can produce exactly this text: it always ends the last line, and drops an empty line at the end. */
export function canBePatched(content: string): boolean {
  return content === '' || /[^\n]\n$/.test(content);
}

/** Makes a patch that replaces whole lines; the tool rejects parts of lines. */
export function editPatch(path: string, old: string, text: string): string {
  const lines = (mark: string, block: string) => block.split('\n').map((line) => `${mark}${line}`);
  return wrap([`*** Update File: ${path}`, '@@', ...lines('-', old), ...lines('+', text)]);
}

function wrap(lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
}
