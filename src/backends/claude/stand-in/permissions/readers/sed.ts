import type { ShellWord } from '../shell/words.js';

/** Whether sed only prints lines of files by their numbers, or replaces text in its input. */
export function readsWithSed(rest: readonly ShellWord[]): boolean {
  const { options, script, files } = partsOf(rest);
  if (script === undefined || !/^[\x20-\x7e]*$/.test(script)) return false;
  const isSilent = options.some((option) => /^-[a-zA-Z]*n|^--(?:quiet|silent)$/.test(option));
  if (isSilent && PRINTS.test(script.trim())) {
    return options.every((option) => PRINTING.test(option)) && files.every((file) => !file.startsWith('-'));
  }
  return (
    REPLACES.test(script.trim()) && files.length === 0 && options.every((option) => /^-[Er]$/.test(option))
  );
}

/** Whether accepting edits also means this edit: `sed -i s/a/b/ FILE`, but no other script. */
export function editsPlainly(rest: readonly ShellWord[]): boolean {
  const [script, ...files] = rest.filter(({ text }) => !text.startsWith('-'));
  return (
    rest.every(({ text }) => !text.startsWith('-') || ['-i', '-E', '-Ei', '--in-place'].includes(text)) &&
    script !== undefined &&
    !script.computed &&
    /^s\/[^\n/]*\/[^\n/]*\/g?$/.test(script.text) &&
    // A second script would be taken for a file.
    files.every(({ text }) => !/\s|^s\//.test(text))
  );
}

function partsOf(rest: readonly ShellWord[]) {
  const texts = rest.map(({ text }) => text);
  const dashes = texts.includes('--') ? texts.indexOf('--') : texts.length;
  const isOption = (text: string, index: number) => index < dashes && /^-./.test(text);
  const [script, ...files] = texts.filter((text, index) => index !== dashes && !isOption(text, index));
  return { options: texts.filter(isOption), script, files };
}

const PRINTING = /^-[nErz]+$|^--(?:quiet|silent|regexp-extended|posix)$/;
const PRINTS = /^(?:\d+(?:,\d+)?)?p(?: *; *(?:\d+(?:,\d+)?)?p)*$/;
const REPLACES = /^s\/[^/{};#]*\/[^/{};#]*\/[gpimIM]*(?:[1-9][gpimIM]*)?$/;
