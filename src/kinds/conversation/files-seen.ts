import { relative } from 'node:path';
import type { FileSeen, TurnSnapshot } from '../../domain/evidence/conversation.js';
import { splitShellLine } from '../../domain/text/shell-line.js';
import { FILE_PATH, type SeenCall, type SeenTurn } from './stages/context-findings.js';
import { classesOf } from './stages/tool-class.js';

/** A search may list a whole repository. So many mentions of a turn are kept. */
const MAX_MENTIONS = 200;

/** The names that tools have for the path of a file. */
const PATH_KEYS = ['file_path', 'filePath', 'notebook_path', 'path'] as const;

/** Matches the part of a shell command that shows the content of files. */
const SHOWING = /^(?:cat|head|tail|less|more|nl|bat|sed|awk|grep|rg|git (?:show|diff|blame))\s/;

const CHANGING = /^sed (?:-[a-zA-Z]*i|--in-place)/;

/** Lists the files of each turn: those in its texts, those that it read, and those that it changed. */
export function listFilesSeen(
  turns: readonly SeenTurn[],
  folder: string,
  snapshots: readonly TurnSnapshot[] = [],
): FileSeen[] {
  return turns.flatMap(({ number: turn, prompt, said, calls }): FileSeen[] => {
    const done = calls.filter(({ isError }) => !isError);
    const texts = [prompt, said, ...calls.map(({ result }) => result ?? '')];
    const mentioned = [...new Set(texts.flatMap((text) => findPaths(text, folder)))].slice(0, MAX_MENTIONS);
    const read = done.flatMap((call) => findRead(call, folder));
    const changed = snapshots.find((snapshot) => snapshot.turn === turn)?.files ?? [];
    const modified = [
      ...done.filter((call) => classesOf(call).includes('write')).flatMap((call) => findTarget(call, folder)),
      ...changed.map(({ path }) => path),
    ];
    const list = (how: FileSeen['how'], paths: readonly string[]) =>
      [...new Set(paths)].map((path) => ({ turn, path, how }));
    return [...list('mentioned', mentioned), ...list('read', read), ...list('modified', modified)];
  });
}

/** A search names files; only what shows their content reads them. */
function findRead(call: SeenCall, folder: string): string[] {
  const classes = classesOf(call);
  if (!classes.includes('run')) {
    return classes.includes('read') && !classes.includes('search') ? findTarget(call, folder) : [];
  }
  const { command } = call.input;
  if (typeof command !== 'string') return [];
  // What a line with substitutions or here-documents reads is not known.
  return (splitShellLine(command) ?? [])
    .map(({ words }) => words.join(' '))
    .filter((part) => SHOWING.test(part) && !CHANGING.test(part))
    .flatMap((part) => findPaths(part, folder));
}

function findTarget({ input }: SeenCall, folder: string): string[] {
  const path = PATH_KEYS.map((key) => input[key]).find((value) => typeof value === 'string');
  if (typeof path !== 'string') return [];
  return [path.startsWith('/') ? relative(folder, path) : path.replace(/^\.\//, '')];
}

/** Finds paths in a text. Those inside the workspace are relative to it. */
function findPaths(text: string, folder: string): string[] {
  const plain = text.replaceAll(`${folder}/`, ' ');
  return [...plain.matchAll(FILE_PATH)].map(([path]) => path.replace(/^(?:\.\/)+/, ''));
}
