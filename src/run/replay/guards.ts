import { createHash } from 'node:crypto';
import { normalize } from 'node:path/posix';
import { parseJson } from '../../domain/common/json-lines.js';
import type { Guards } from '../../domain/recording/guards.js';
import type { ArrangedFile, Arrangement } from '../../domain/scenario/arrangement.js';

type Given = Partial<Pick<Arrangement, 'config' | 'args' | 'files' | 'before' | 'after' | 'path'>>;

/** Names that are code or configuration. */
const CODE = /\.(?:sh|bash|py|[cm]?js|ts|rb|pl|ya?ml|toml)$/;
/** Scripts and configurations that nothing has to mention. */
const STARTED = /\.(?:sh|bash|ya?ml|toml)$|^\.claude\/|^\.mcp\.json$/;

/** Finds out what in the workspace of a scenario is started, or says what to start. A replay must not change it. */
export function guardsOf({ config, args, files = {}, before, after, path = [] }: Given): Guards {
  const arranged = Object.entries(files).map(([name, file]) => ({
    name: normalize(name),
    ...readFile(file),
  }));
  const mentioned = namesIn(JSON.stringify({ config, args, before, after }));
  const guarded = arranged.filter(
    ({ name, isProgram }) => isProgram || STARTED.test(name) || mentioned.has(baseName(name)),
  );
  // A script may start another one, or what a file of the scenario names.
  const scripts = [...guarded.map(({ content }) => content), JSON.stringify({ args, before, after })].join(
    '\n',
  );
  const called = namesIn(scripts);
  const words = new Set(scripts.match(/[\w.-]+/g));
  const others = arranged.filter(({ name }) => called.has(baseName(name)) || words.has(baseName(name)));
  return {
    files: Object.fromEntries([...guarded, ...others].map(({ name, content }) => [name, hash(content)])),
    folders: path.map((folder) => normalize(folder)),
    names: [...new Set([...mentioned, ...called])],
    hooks: arranged
      .filter(({ name }) => /^\.claude\/settings(?:\.local)?\.json$/.test(name))
      .flatMap(({ content }) => listCommands(parseJson(content))),
    ralphHooks: config?.hooks !== undefined,
  };
}

function readFile(file: ArrangedFile): { readonly content: string; readonly isProgram: boolean } {
  return typeof file === 'string'
    ? { content: file, isProgram: false }
    : { content: file.content, isProgram: (file.mode & 0o111) !== 0 };
}

/** Finds the names in a text that may be started: those of code, and programs that are called by a path. */
function namesIn(text: string): ReadonlySet<string> {
  const words = text.match(/[\w./-]+/g) ?? [];
  return new Set(
    words
      .filter((word) => CODE.test(word) || /^\.\/[\w/-]+$/.test(word))
      .map(baseName)
      .filter((name) => name !== ''),
  );
}

/** Lists the commands in the settings of an agent CLI. */
function listCommands(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'command' && typeof item === 'string' ? [item] : listCommands(item),
  );
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function hash(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
