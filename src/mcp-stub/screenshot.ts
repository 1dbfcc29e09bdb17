import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { KnownError } from '../domain/common/known-error.js';
import type { PageSettings } from '../domain/stub/script.js';
import { hasErrorCode } from '../exec/error-code.js';
import { makeFolder } from '../exec/files/make-folder.js';
import { resolveInside } from '../exec/files/resolve-inside.js';
import { drawPage } from './draw-page.js';
import { openServedPage } from './served-page.js';
import { describeStyle, readPageStyle } from './style.js';

const side = z.int().min(1).max(2000);
const argumentsSchema = z.looseObject({
  width: side.default(440),
  height: side.default(240),
  path: z.string().optional(),
  url: z.string().optional(),
});

/** A screenshot of the stub browser. */
export interface Screenshot {
  readonly png: Buffer;
  /** Where it was saved, what it is, and the values that it was drawn from. */
  readonly text: string;
}

/** Draws the page from its style sheet and saves the image. The text says that no browser was used. */
export async function takeScreenshot(page: PageSettings, input: unknown, cwd: string): Promise<Screenshot> {
  const parsed = argumentsSchema.safeParse(input);
  if (!parsed.success) throw new KnownError(z.prettifyError(parsed.error));
  const { width, height, path = freePath(cwd, page.folder), url } = parsed.data;
  const { css, source } =
    'served' in page ? await openServedPage(url) : await readStyleSheet(page.style, cwd);
  const measured = readPageStyle(css);
  const png = drawPage(measured, width, height);
  const target = await resolveInside(cwd, path);
  await makeFolder(dirname(target));
  await writeFile(target, png);
  const saved = `Saved ${path} (${width}x${height}).`;
  return {
    png,
    text: `${saved} This is a stub: no browser rendered it, it is drawn from ${source}: ${describeStyle(measured)}.`,
  };
}

async function readStyleSheet(style: string, cwd: string): Promise<{ css: string; source: string }> {
  const css = await readFile(await resolveInside(cwd, style), 'utf8').catch((cause: unknown) => {
    if (!hasErrorCode(cause, 'ENOENT')) throw cause;
    throw new KnownError(`Expected a style sheet at ${style} in ${cwd}, found none.`, { cause });
  });
  return { css, source: style };
}

function freePath(cwd: string, folder: string): string {
  let number = 1;
  while (existsSync(join(cwd, folder, `${number}.png`))) number += 1;
  return `${folder}/${number}.png`;
}
