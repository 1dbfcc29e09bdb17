import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../domain/common/message-of.js';
import { CommandError, inContext } from '../failure.js';
import { isRecord } from '../record.js';
import { readTextFile } from '../store/files.js';
import type { YamlMap } from './reader.js';

/** Merges the file that a hat imports under the hat's own keys. An imported file cannot import another. */
export function resolveHatImports(
  config: YamlMap,
  source: string,
  parse: (text: string) => unknown,
): YamlMap {
  if (!isRecord(config.hats)) return config;
  const hats = Object.entries(config.hats).map(([id, hat]) => {
    if (!isRecord(hat) || hat.import === undefined || hat.import === null) return [id, hat] as const;
    const { import: file, ...own } = hat;
    if (typeof file !== 'string') throw refuse(source, id, '', "'import' must be a string file path");
    const path = resolve(dirname(source), file);
    const imported = readHat(path, parse, (cause) =>
      refuse(source, id, `\n  --> imports ${join(dirname(source), file).replace(/^(?!\/)/, './')}`, cause),
    );
    return [id, { ...imported, ...own }] as const;
  });
  return { ...config, hats: Object.fromEntries(hats) };
}

function readHat(
  path: string,
  parse: (text: string) => unknown,
  fail: (cause: string) => CommandError,
): YamlMap {
  const text = inContext(`Failed to read ${path}`, () => readTextFile(path));
  if (text === undefined) throw fail('file not found');
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw fail(messageOf(error));
  }
  if (!isRecord(value)) throw fail('imported hat file must be a YAML mapping');
  if ('import' in value)
    throw fail(
      "imported hat files cannot contain 'import:' directives (transitive imports are not supported)",
    );
  if ('events' in value)
    throw fail("imported hat files cannot contain 'events:'; event metadata belongs in the consuming preset");
  return value;
}

function refuse(source: string, hat: string, importLine: string, cause: string): CommandError {
  return new CommandError(
    `failed to resolve hat import\n  --> ${source}, hat '${hat}'${importLine}\n\n  cause: ${cause}`,
  );
}
