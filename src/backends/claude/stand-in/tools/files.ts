import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from '../../../../exec/files/make-folder.js';
import { failed, refusedInput, type ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** A file that a tool is called with, and the files whose content the model has seen. */
export interface UsedFile {
  readonly path: string;
  readonly cwd: string;
  readonly seen: Set<string>;
}

/** Reads a file, with the number of each line. */
export function readFile({ path, cwd, seen }: UsedFile, input: Input): ToolOutcome {
  if (!existsSync(path)) return failed(missing(cwd));
  if (statSync(path).isDirectory()) return failed(`EISDIR: illegal operation on a directory, read '${path}'`);
  const all = readFileSync(path, 'utf8').split('\n');
  const startLine = typeof input.offset === 'number' ? input.offset : 1;
  const limit = typeof input.limit === 'number' ? input.limit : all.length;
  // The line before the first is the first, though the numbers begin with what was asked for.
  const skipped = Math.max(0, startLine - 1);
  const lines = all.slice(skipped, skipped + limit);
  seen.add(path);
  return {
    content: lines.map((line, index) => `${startLine + index}\t${line}`).join('\n'),
    details: { type: 'text', file: { filePath: input.file_path, content: lines.join('\n') } },
    isError: false,
  };
}

/** Returns the error for a change that cannot be made, which comes before hooks and permissions; or null. */
export function checkChange(name: string, { path, cwd }: UsedFile, input: Input): ToolOutcome | null {
  const exists = existsSync(path);
  if (name === 'Write') {
    if (!exists || !statSync(path).isDirectory()) return null;
    const hint = 'To create a file inside it, include the file name in file_path.';
    return refusedInput(`${String(input.file_path)} is a directory, not a file. ${hint}`);
  }
  const [old, text] = [String(input.old_string), String(input.new_string)];
  if (old === text)
    return refusedInput('No changes to make: old_string and new_string are exactly the same.');
  if (!exists) return old === '' ? null : refusedInput(missing(cwd));
  const content = readFileSync(path, 'utf8');
  if (old === '')
    return content === '' ? null : refusedInput('Cannot create new file - file already exists.');
  const count = content.split(old).length - 1;
  if (count === 0) return refusedInput(`String to replace not found in file.\nString: ${old}`);
  if (count === 1 || input.replace_all === true) return null;
  return refusedInput(
    `Found ${count} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${old}`,
  );
}

export function writeFile({ path, seen }: UsedFile, input: Input): ToolOutcome {
  const content = String(input.content);
  const isNew = !existsSync(path);
  put(path, content);
  seen.add(path);
  const shown = String(input.file_path);
  return {
    content: `${isNew ? `File created successfully at: ${shown}` : updated(shown)} ${CURRENT}`,
    details: { type: isNew ? 'create' : 'update', filePath: shown, content },
    isError: false,
  };
}

export function editFile({ path, seen }: UsedFile, input: Input): ToolOutcome {
  const [old, text] = [String(input.old_string), String(input.new_string)];
  const replaceAll = input.replace_all === true;
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  put(path, replaceAll ? before.replaceAll(old, () => text) : before.replace(old, () => text));
  const shown = String(input.file_path);
  const told = replaceAll
    ? `The file ${shown} has been updated. All occurrences were successfully replaced.`
    : updated(shown);
  return {
    content: seen.has(path) ? `${told} ${CURRENT}` : told,
    details: { filePath: shown, oldString: old, newString: text, replaceAll },
    isError: false,
  };
}

function put(path: string, content: string): void {
  makeFolderSync(dirname(path));
  writeFileSync(path, content);
}

const CURRENT = '(file state is current in your context — no need to Read it back)';

function updated(path: string): string {
  return `The file ${path} has been updated successfully.`;
}

function missing(cwd: string): string {
  return `File does not exist. Note: your current working directory is ${cwd}.`;
}
