import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { KnownError } from '../../../domain/common/known-error.js';
import { messageOf } from '../../../domain/common/message-of.js';
import { readPlainText } from '../../../exec/files/plain-file.js';
import { type EvalCase, evalCaseSchema, PROMPT_FIELDS } from './case-schema.js';

/** A case with the folders that it needs. */
export interface FoundCase {
  readonly folder: string;
  readonly content: EvalCase;
  /** The folders of its plugins: those that it names, or the one around it. */
  readonly plugins: readonly string[];
}

/** Reads all cases below a folder. One that Claude Code would reject is an error with its reason. */
export async function readEvalCases(folder: string): Promise<FoundCase[]> {
  const root = resolve(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((cause: unknown) => {
    throw new KnownError(`${root}: expected a folder with eval cases: ${messageOf(cause)}`, { cause });
  });
  const folders = entries
    .filter((entry) => entry.isFile() && ['case.yaml', 'prompt.md'].includes(entry.name))
    .map(({ parentPath }) => parentPath)
    .filter((path) => !/(?:^|\/)(?:results|mocks|node_modules|\.git)(?:\/|$)/.test(relative(root, path)));
  const cases = [...new Set(folders)].sort();
  if (cases.length === 0)
    throw new KnownError(`${root}: expected eval cases (case.yaml or prompt.md), found none.`, {
      hint: 'Name a folder of `claude plugin eval`, or a module that exports scenarios.',
    });
  return Promise.all(cases.map(readCase));
}

async function readCase(folder: string): Promise<FoundCase> {
  const data = mergeCase(basename(folder), {
    written: await readYaml(join(folder, 'case.yaml')),
    prompt: await readMarkdown(join(folder, 'prompt.md')),
    graders: await readGraders(join(folder, 'graders')),
  });
  const read = evalCaseSchema.safeParse(data);
  if (!read.success)
    throw new KnownError(
      `${folder}: expected a case of \`claude plugin eval\`: ${z.prettifyError(read.error)}`,
    );
  const plugins = read.data.plugins?.map((path) => resolve(folder, path)) ?? findPluginAround(folder);
  return { folder, content: read.data, plugins };
}

type Fields = Readonly<Record<string, unknown>>;
interface Headed {
  readonly fields: Fields;
  readonly body: string;
}

/** What prompt.md and graders/ say comes on top of case.yaml. */
function mergeCase(
  name: string,
  parts: { written: Fields | null; prompt: Headed | null; graders: readonly Fields[] },
): Fields {
  const written = parts.written ?? { schema_version: '1.1', name };
  const { fields = {}, body = '' } = parts.prompt ?? {};
  const pick = (allowed: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => allowed.has(key)));
  const unknown = Object.keys(fields).find(
    (key) => !PROMPT_FIELDS.case.has(key) && !PROMPT_FIELDS.execution.has(key),
  );
  if (unknown !== undefined)
    throw new KnownError(`${name}/prompt.md: unknown field "${unknown}" in its head.`);
  const prompt = body.trim();
  return {
    ...written,
    ...pick(PROMPT_FIELDS.case),
    execution: {
      ...asFields(written.execution),
      ...pick(PROMPT_FIELDS.execution),
      ...(prompt === '' ? {} : { prompt }),
    },
    graders: [...(Array.isArray(written.graders) ? written.graders : []), ...parts.graders],
  };
}

const BODY_FIELDS: Readonly<Record<string, string>> = {
  llm: 'criteria',
  baseline: 'criteria',
  regex: 'pattern',
};

async function readGraders(folder: string): Promise<Fields[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const all = await Promise.all(names.map((name) => readMarkdown(join(folder, name))));
  return all.flatMap((headed, index) => {
    // A page without a head is no grader.
    if (headed === null || Object.keys(headed.fields).length === 0) return [];
    const field = BODY_FIELDS[String(headed.fields.type)];
    const body = headed.body.trim();
    const given = field === undefined || body === '' ? {} : { [field]: body };
    return [{ name: basename(names[index] ?? '', '.md'), ...given, ...headed.fields }];
  });
}

async function readYaml(path: string): Promise<Fields | null> {
  if (!existsSync(path)) return null;
  try {
    return asFields(parse(await readPlainText(path)));
  } catch (cause) {
    throw new KnownError(`${path}: expected YAML, found: ${messageOf(cause)}`, { cause });
  }
}

async function readMarkdown(path: string): Promise<Headed | null> {
  if (!existsSync(path)) return null;
  const text = (await readPlainText(path)).replace(/^\uFEFF/, '');
  const lines = text.split('\n');
  const isFence = (line: string | undefined) => line?.trimEnd() === '---';
  if (!isFence(lines[0])) return { fields: {}, body: text };
  const end = lines.findIndex((line, index) => index > 0 && isFence(line));
  if (end < 0) throw new KnownError(`${path}: expected a head that ends with ---, found no end.`);
  try {
    const fields = asFields(parse(lines.slice(1, end).join('\n')));
    return { fields, body: lines.slice(end + 1).join('\n') };
  } catch (cause) {
    throw new KnownError(`${path}: expected a head in YAML, found: ${messageOf(cause)}`, { cause });
  }
}

function asFields(value: unknown): Fields {
  return z.record(z.string(), z.unknown()).safeParse(value).data ?? {};
}

function findPluginAround(folder: string): string[] {
  if (existsSync(join(folder, '.claude-plugin', 'plugin.json'))) return [folder];
  const above = dirname(folder);
  return above === folder ? [] : findPluginAround(above);
}
