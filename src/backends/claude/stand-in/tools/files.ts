import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from '../../../../exec/files/make-folder.js';
import { pathOf } from '../plugins/paths.js';
import { failed, refusedInput, type ToolOutcome } from './outcome.js';

type Input = Readonly<Record<string, unknown>>;

/** The file tools. They remember which contents the model has seen, and report whether an edit leaves it current. */
export class FileTools {
  readonly #cwd: string;
  readonly #home: string;
  readonly #seen = new Set<string>();

  constructor(cwd: string, home: string) {
    this.#cwd = cwd;
    this.#home = home;
  }

  read(input: Input): ToolOutcome {
    const path = this.#resolve(input);
    if (!existsSync(path)) return failed(this.#missing());
    if (statSync(path).isDirectory())
      return failed(`EISDIR: illegal operation on a directory, read '${path}'`);
    const all = readFileSync(path, 'utf8').split('\n');
    const startLine = typeof input.offset === 'number' ? input.offset : 1;
    const limit = typeof input.limit === 'number' ? input.limit : all.length;
    // The line before the first is the first, though the numbers begin with what was asked for.
    const skipped = Math.max(0, startLine - 1);
    const lines = all.slice(skipped, skipped + limit);
    this.#seen.add(path);
    return {
      content: lines.map((line, index) => `${startLine + index}\t${line}`).join('\n'),
      details: { type: 'text', file: { filePath: input.file_path, content: lines.join('\n') } },
      isError: false,
    };
  }

  write(input: Input): ToolOutcome {
    const path = this.#resolve(input);
    const content = String(input.content);
    const isNew = !existsSync(path);
    makeFolderSync(dirname(path));
    writeFileSync(path, content);
    this.#seen.add(path);
    const shown = String(input.file_path);
    return {
      content: `${isNew ? `File created successfully at: ${shown}` : updated(shown)} ${CURRENT}`,
      details: { type: isNew ? 'create' : 'update', filePath: shown, content },
      isError: false,
    };
  }

  /** Whether a file exists that the model has not seen. */
  isUnread(input: Input): boolean {
    const path = this.#resolve(input);
    return existsSync(path) && !this.#seen.has(path);
  }

  /** Returns the error that rejects writing to a folder, or null. */
  checkWrite(input: Input): ToolOutcome | null {
    const path = this.#resolve(input);
    if (!existsSync(path) || !statSync(path).isDirectory()) return null;
    const hint = 'To create a file inside it, include the file name in file_path.';
    return refusedInput(`${String(input.file_path)} is a directory, not a file. ${hint}`);
  }

  /** Returns the error for a file that does not exist and is not to be made, or null. */
  checkExists(input: Input): ToolOutcome | null {
    return existsSync(this.#resolve(input)) || input.old_string === '' ? null : refusedInput(this.#missing());
  }

  /** Returns the error that rejects an edit before it is tried, or null. */
  checkEdit(input: Input): ToolOutcome | null {
    const path = this.#resolve(input);
    const [old, text] = [String(input.old_string), String(input.new_string)];
    if (old === text)
      return refusedInput('No changes to make: old_string and new_string are exactly the same.');
    if (!existsSync(path)) return old === '' ? null : refusedInput(this.#missing());
    const content = readFileSync(path, 'utf8');
    if (old === '') {
      return content === '' ? null : refusedInput('Cannot create new file - file already exists.');
    }
    const count = content.split(old).length - 1;
    if (count === 0) return refusedInput(`String to replace not found in file.\nString: ${old}`);
    if (count > 1 && input.replace_all !== true) {
      const message = `Found ${count} matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: ${old}`;
      return refusedInput(message);
    }
    return null;
  }

  edit(input: Input): ToolOutcome {
    const path = this.#resolve(input);
    const [old, text] = [String(input.old_string), String(input.new_string)];
    const replaceAll = input.replace_all === true;
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const content = replaceAll ? before.replaceAll(old, () => text) : before.replace(old, () => text);
    makeFolderSync(dirname(path));
    writeFileSync(path, content);
    const isCurrent = this.#seen.has(path);
    const shown = String(input.file_path);
    return {
      content: [replaceAll ? allReplaced(shown) : updated(shown), ...(isCurrent ? [CURRENT] : [])].join(' '),
      details: { filePath: shown, oldString: old, newString: text, replaceAll },
      isError: false,
    };
  }

  #resolve(input: Input): string {
    return pathOf({ file_path: String(input.file_path) }, this.#cwd, this.#home) ?? '';
  }

  #missing(): string {
    return `File does not exist. Note: your current working directory is ${this.#cwd}.`;
  }
}

const CURRENT = '(file state is current in your context — no need to Read it back)';

function updated(path: string): string {
  return `The file ${path} has been updated successfully.`;
}

function allReplaced(path: string): string {
  return `The file ${path} has been updated. All occurrences were successfully replaced.`;
}
