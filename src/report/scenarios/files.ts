import { createHash } from 'node:crypto';
import type { ArrangedFile } from '../../domain/scenario/arrangement.js';
import { sampleContext } from '../../domain/scenario/sample-context.js';
import type { Scenario } from '../../domain/scenario/scenario.js';
import { blocks } from '../markdown/parts.js';
import { exactBlock } from '../text/exact-text.js';
import { codeSpan } from '../text/safe-text.js';

/** Files that several scenarios share, by name: the page prints them once, and scenarios refer to them. */
export type SharedFiles = ReadonlyMap<string, string>;

/** A shorter file is easier to read where it is used. */
const WORTH_SHARING = 200;
/** Of a longer file, the page has both ends and a digest: nobody reads the rest, but every change shows. */
const MUCH = 4000;

/** Finds the files that several scenarios share. `hide` hides what differs between machines. */
export function findSharedFiles(catalogue: readonly Scenario[], hide: (text: string) => string): SharedFiles {
  const users = new Map<string, { readonly text: string; readonly ids: Set<string> }>();
  for (const scenario of catalogue) {
    for (const [path, file] of listFiles(scenario)) {
      const text = hide(contentOf(file));
      if (text.length < WORTH_SHARING || text.length > MUCH) continue;
      const name = nameOf(path, file, text);
      const user = users.get(name) ?? { text, ids: new Set() };
      user.ids.add(scenario.id);
      users.set(name, user);
    }
  }
  const shared = [...users].filter(([, { ids }]) => ids.size > 1);
  return new Map(
    shared.map(([name, { text }]) => [name, text] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Renders the files that several scenarios share. */
export function renderSharedFiles(shared: SharedFiles): string {
  return blocks(
    shared.size === 0 ? '' : '## Files that several scenarios share',
    ...[...shared].map(([name, text]) => `${codeSpan(name, 400)}:\n\n${exactBlock(text, 'text')}`),
  );
}

/** Describes the files of one scenario; shared ones only by name. */
export function describeFiles(
  files: Readonly<Record<string, ArrangedFile>>,
  shared: SharedFiles,
  hide: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(files).map(([path, file]) => {
      const text = hide(contentOf(file));
      const name = nameOf(path, file, text);
      const content = shared.has(name) ? `shared: ${name}` : describeText(text);
      return [path, typeof file === 'string' ? content : { mode: modeOf(file), content }];
    }),
  );
}

function* listFiles({ backends, lanes, arrange }: Scenario): Generator<[string, ArrangedFile]> {
  for (const backend of backends) {
    for (const lane of lanes) yield* Object.entries(arrange(sampleContext(backend, lane)).files ?? {});
  }
}

function describeText(text: string): unknown {
  if (text.length <= MUCH) return text;
  const ends = { begins: text.slice(0, 400), ends: text.slice(-400) };
  return { characters: text.length, sha256: digest(text), ...ends };
}

/** Makes a name that changes with the content, so that the page shows which scenarios a change affects. */
function nameOf(path: string, file: ArrangedFile, text: string): string {
  return `${path} (${digest(`${modeOf(file)}\n${text}`).slice(0, 8)})`;
}

function contentOf(file: ArrangedFile): string {
  return typeof file === 'string' ? file : file.content;
}

function modeOf(file: ArrangedFile): string {
  return typeof file === 'string' ? '' : `0${file.mode.toString(8)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
