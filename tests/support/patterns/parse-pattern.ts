/** A pattern as a tree, for the engine in `count-steps.ts`. */
export type Node =
  | { readonly type: 'character'; readonly accepts: (letter: string) => boolean }
  | { readonly type: 'sequence'; readonly items: readonly Node[] }
  | { readonly type: 'choice'; readonly options: readonly Node[] }
  | { readonly type: 'group'; readonly body: Node; readonly number: number; readonly name: string | null }
  | {
      readonly type: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly type: 'look'; readonly body: Node; readonly ahead: boolean; readonly negative: boolean }
  | { readonly type: 'place'; readonly kind: '^' | '$' | 'b' | 'B' }
  | { readonly type: 'back'; readonly to: number | string };

/** Parses a pattern of ours. Throws at syntax that no pattern of ours has so far. */
export function parsePattern({ source, flags }: RegExp): Node {
  let at = 0;
  let groups = 0;
  const fail = (why: string): never => {
    throw new Error(`cannot parse /${source}/ at ${at}: ${why}`);
  };
  const unicode = flags.includes('u') || flags.includes('v') ? 'u' : '';
  const caseless = flags.includes('i') ? 'i' : '';

  function choice(): Node {
    const options = [sequence()];
    while (source[at] === '|') {
      at += 1;
      options.push(sequence());
    }
    return options.length === 1 && options[0] !== undefined ? options[0] : { type: 'choice', options };
  }

  function sequence(): Node {
    const items: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') items.push(repeated(atom()));
    return { type: 'sequence', items };
  }

  function repeated(body: Node): Node {
    const found = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})(\??)/.exec(source.slice(at, at + 20));
    if (found === null) return body;
    at += found[0].length;
    const [text, low, comma, high, lazy] = found;
    const first = text[0];
    const min = low === undefined ? (first === '+' ? 1 : 0) : Number(low);
    const open = first === '*' || first === '+' || (comma === ',' && high === '');
    const max = open ? Number.POSITIVE_INFINITY : low === undefined ? 1 : comma === ',' ? Number(high) : min;
    return { type: 'repeat', body, min, max, lazy: lazy === '?' };
  }

  function atom(): Node {
    const letter = source[at] ?? fail('end');
    if (letter === '(') return group();
    if (letter === '[') return characters(classText());
    if (letter === '\\') return escaped();
    at += 1;
    if (letter === '^' || letter === '$') return { type: 'place', kind: letter };
    const width = unicode === 'u' && (source.codePointAt(at - 1) ?? 0) > 0xffff ? 2 : 1;
    at += width - 1;
    return characters(source.slice(at - width, at));
  }

  function group(): Node {
    const opening = /^\((?:\?(?:<([A-Za-z]\w*)>|(<?[=!])|:))?/.exec(source.slice(at)) ?? fail('group');
    at += opening[0].length;
    const [text, name, look] = opening;
    const captures = look === undefined && text !== '(?:';
    if (captures) groups += 1;
    const number = groups;
    const body = choice();
    if (source[at] !== ')') fail('no )');
    at += 1;
    if (look !== undefined)
      return { type: 'look', body, ahead: !look.startsWith('<'), negative: look.endsWith('!') };
    return text === '(?:' ? body : { type: 'group', body, number, name: name ?? null };
  }

  function classText(): string {
    const start = at;
    at += 1;
    while (source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
    at += 1;
    return source.slice(start, at);
  }

  function escaped(): Node {
    const text =
      /^\\(?:k<\w+>|[1-9]\d*|[pP]\{[^}]*\}|u\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])/.exec(
        source.slice(at),
      )?.[0] ?? fail('escape');
    at += text.length;
    if (text === '\\b' || text === '\\B') return { type: 'place', kind: text === '\\b' ? 'b' : 'B' };
    const back = /^\\(?:k<(\w+)>|([1-9]\d*))$/.exec(text);
    if (back !== null) return { type: 'back', to: back[1] ?? Number(back[2]) };
    return characters(text);
  }

  function characters(text: string): Node {
    const pattern = new RegExp(`^(?:${text})$`, `${unicode}${caseless}${flags.includes('s') ? 's' : ''}`);
    const known = new Map<string, boolean>();
    return {
      type: 'character',
      accepts: (letter) => {
        const answer = known.get(letter) ?? pattern.test(letter);
        known.set(letter, answer);
        return answer;
      },
    };
  }

  const tree = choice();
  if (at < source.length) fail('rest');
  return tree;
}
