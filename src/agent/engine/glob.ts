/**
 * Compiles a glob over a whole prompt, as in claudeless: `*` is any text (including line feeds), `?` one character,
 * `[a-z]` and `[!a-z]` a class. Prompts are not paths, so a slash is an ordinary character.
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
