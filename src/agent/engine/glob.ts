/**
 * A glob over a whole prompt, as claudeless has it: `*` any text (line feeds too), `?` one character, `[a-z]` and
 * `[!a-z]` a class. Prompts are not paths: a slash is a character like any other.
 */
export function globToRegex(glob: string): RegExp {
  let source = '';
  for (let index = 0; index < glob.length; index += 1) {
    const character = glob[index] ?? '';
    const close = character === '[' ? glob.indexOf(']', index + 2) : -1;
    if (character === '*') source += '[\\s\\S]*';
    else if (character === '?') source += '[\\s\\S]';
    else if (close > 0) {
      source += `[${glob
        .slice(index + 1, close)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\')}]`;
      index = close;
    } else source += character.replace(/[\\^$.|+(){}[\]]/g, '\\$&');
  }
  return new RegExp(`^${source}$`);
}
