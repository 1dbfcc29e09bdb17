/**
 * What is hidden, in bytes of UTF-8, in JSON and in YAML: sequences for a terminal, such as colors; titles and links up to their
 * end or the end of the line; controls; invisible characters (Default_Ignorable_Code_Point) and separators of lines;
 * at the end of the text also what may become one.
 */
const HIDDEN =
  /(?:(?:\x1b|\\{1,16}(?:u001b|e))\[|\xc2\x9b|\\{1,16}(?:u009b|x9b))[0-?]*[ -/]*[@-~]?|(?:(?:\x1b|\\{1,16}(?:u001b|e))[\]PX^_]|\xc2[\x90\x98\x9d-\x9f])[^\x07\x1b\n\\\xc2]*(?:\x07|(?:\x1b|\\{1,16}(?:u001b|e))\\{1,16}|\\{1,16}(?:u0007|a)|\xc2\x9c)?|(?:\x1b|\\{1,16}(?:u001b|e))[ -/]*[0-~]?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+|\xc2[\x80-\x9f\xad]|\xcd\x8f|\xd8\x9c|\xe1(?:\x85[\x9f\xa0]|\x9e[\xb4\xb5]|\xa0[\x8b-\x8f])|\xe2(?:\x80[\x8b-\x8f\xa8-\xae]|\x81[\xa0-\xaf])|\xe3\x85\xa4|\xef(?:\xb8[\x80-\x8f]|\xbb\xbf|\xbe\xa0|\xbf[\xb0-\xbb])|\xf0(?:\x9b\xb2[\xa0-\xa3]|\x9d\x85[\xb3-\xba])|\xf3\xa0[\x80-\xbf]{2}|\\{1,16}(?:[abev]|u[0-9a-fA-F]{4})|(?:[\xc2\xcd\xd8\xe1-\xe3\xef\xf0\xf3][\x80-\xbf]{0,2}|\\{1,16}(?:u[0-9a-fA-F]{0,3})?)$/g;

/** Controls alone: whoever does not know the sequence that one begins shows what follows it. */
const CONTROLS =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\\{1,16}(?:[abev]|u00[01][0-9a-fA-F])|\\{1,16}(?:u[0-9a-fA-F]{0,3})?$/g;

const MAY_HIDE = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xff\\]/;
/** A sequence that is no color. */
const BEGINS_OTHER = /(?:\x1b|\\{1,16}(?:u001b|e))(?!\[)/;

interface ShownText {
  readonly text: string;
  /** The place of each of its characters in the whole text. */
  readonly places: Int32Array;
}

/** Returns a text of bytes as reports may show it: without sequences, and without controls alone. */
export function listShown(whole: string): ShownText[] {
  // Most texts have nothing of this kind, and the first look is many times as fast.
  if (!MAY_HIDE.test(whole)) return [];
  const patterns = BEGINS_OTHER.test(whole) ? [HIDDEN, CONTROLS] : [HIDDEN];
  return patterns.flatMap((pattern) => leaveOut(whole, pattern) ?? []);
}

function leaveOut(whole: string, pattern: RegExp): ShownText | null {
  if (whole.search(pattern) < 0) return null;
  const places = new Int32Array(whole.length + 1);
  let [text, done] = ['', 0];
  const take = (end: number) => {
    for (let at = done; at < end; at += 1) places[text.length + at - done] = at;
    text += whole.slice(done, end);
  };
  for (const { 0: hidden, index } of whole.matchAll(pattern)) {
    take(index);
    done = index + hidden.length;
  }
  take(whole.length);
  places[text.length] = whole.length;
  return { text, places: places.subarray(0, text.length + 1) };
}
