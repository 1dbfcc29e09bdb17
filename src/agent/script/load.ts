import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { AgentScript } from '../../domain/agent-script.js';
import { KnownError } from '../../domain/common/known-error.js';
import { messageOf } from '../../domain/common/message-of.js';

/** Loads a script file. The parsers come in only when one is read: the stand-ins start hundreds of times in a run. */
export async function loadScriptFile(
  path: string,
): Promise<{ readonly script: AgentScript; readonly notes: readonly string[] }> {
  const format = syntaxOf(path);
  const text = await readScriptText(path);
  const { parseScript } = await import('./parse.js');
  return parseScript(text, { format, file: path });
}

/** The text that a script file is converted to: the next format of claudeless, or our own. */
export async function convertScriptFile(
  path: string,
  options: { readonly to?: 'ours' } = {},
): Promise<string> {
  const format = syntaxOf(path);
  const text = await readScriptText(path);
  const { convertScript } = await import('./convert.js');
  return convertScript(text, format, { ...options, file: path });
}

/** The syntax that the name of a script file tells. */
function syntaxOf(path: string): 'yaml' | 'toml' | 'json' {
  const extension = extname(path).toLowerCase();
  switch (extension) {
    case '.yaml':
    case '.yml':
      return 'yaml';
    case '.toml':
      return 'toml';
    case '.json':
      return 'json';
    default:
      throw new KnownError(
        `${path}: expected a script whose name ends in .yaml, .yml, .toml or .json, found ${extension === '' ? 'no ending' : `"${extension}"`}`,
        { hint: 'Rename the file after the syntax that it is written in.' },
      );
  }
}

/** The text of a script file, or an error that says why it cannot be read. */
async function readScriptText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const reason = messageOf(error);
    throw new KnownError(`${path}: expected an agent script there, found none that can be read: ${reason}`, {
      hint: 'Check the path; it is relative to the folder in which the command runs.',
    });
  }
}
