import { normalize } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { DEFAULT_PROMISE } from '../../domain/evidence/run-view.js';
import type { Arrangement } from '../../domain/scenario/arrangement.js';
import { type ErrandSite, runErrands } from '../../lane/errands.js';
import { ralphCommand } from './run-ralph.js';

/** A configuration or hat collection, as far as it sets the promise. The first key is from version 1 of the format. */
const sourceSchema = z.object({
  completion_promise: z.string().optional().catch(undefined),
  event_loop: z
    .object({ completion_promise: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

type Given = Pick<Arrangement, 'config' | 'args' | 'files'>;

/**
 * Returns the word that ends the loop, as Ralph's documentation says: `--completion-promise`, then the hat collection
 * (`-H`), then ralph.yml. Returns null if only Ralph knows, because it ships the collection.
 */
export function arrangedPromise({ config, args = [], files = {} }: Given): string | null {
  const flag = findValue(args, ['--completion-promise']);
  const settings = sourceSchema.safeParse(config).data;
  const decisive = flag ?? settings?.completion_promise;
  if (decisive !== undefined) return decisive;
  const hats = findValue(args, ['-H', '--hats']);
  const fromConfig = settings?.event_loop?.completion_promise ?? DEFAULT_PROMISE;
  if (hats === undefined) return fromConfig;
  const file = Object.entries(files).find(([path]) => normalize(path) === normalize(hats))?.[1];
  if (file === undefined) return null;
  return readCollection(typeof file === 'string' ? file : file.content) ?? fromConfig;
}

/** Asks Ralph which word ends the loop: `--dry-run` prints the configuration after all layers. */
export async function askPromise(args: readonly string[], site: ErrandSite): Promise<string | null> {
  const [, ...command] = ralphCommand(site.binary, [...args, '--dry-run']);
  const [record] = await runErrands([{ ralph: command }], 'before', site);
  return /^[ \t]*Completion promise: (.+)$/m.exec(record?.stdout ?? '')?.[1] ?? null;
}

function readCollection(text: string): string | undefined {
  try {
    return sourceSchema.safeParse(parse(text)).data?.event_loop?.completion_promise;
  } catch {
    return undefined;
  }
}

/** Returns the value of an option: `--name value`, `--name=value`, `-Hvalue`. */
function findValue(args: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    for (const name of names) {
      if (arg === name) return args[index + 1];
      const joined = name.startsWith('--') ? `${name}=` : name;
      if (arg.startsWith(joined)) return arg.slice(joined.length).replace(/^=/, '');
    }
  }
  return undefined;
}
