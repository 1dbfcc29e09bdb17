import { lstat, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import * as z from 'zod';
import { KnownError } from '../../../domain/common/known-error.js';
import {
  type FirstFile,
  listFirstFiles,
  nameProgram,
  needsClaudeCode,
  SCENARIOS,
  WORKFLOW,
  WORKFLOW_TEMPLATES,
} from '../../../draft/repository/first-files.js';
import { packProgram } from '../../../draft/repository/pack-program.js';
import {
  REPOSITORY_KINDS,
  type Repository,
  type RepositoryKind,
  readRepository,
} from '../../../draft/repository/read-repository.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { makeChosenFolder } from '../../../exec/files/make-folder.js';
import { harnessVersion, packageRoot } from '../../../exec/files/package-root.js';
import { readPlainText } from '../../../exec/files/plain-file.js';
import { cleanText, quoteCommand } from '../../../report/text/safe-text.js';
import { EXIT, type ExitCode } from '../../exit-codes.js';
import { listNextSteps } from '../../program-name.js';
import { openScreen } from '../../screen.js';

/** The flags of `init` as commander passes them. */
export interface InitFlags {
  readonly for?: string;
  /** True without the name of a plugin. */
  readonly plugin?: string | true;
  readonly dryRun?: boolean;
}

/**
 * Runs `ralph-e2e init`: writes a workflow, the ralph-e2e that it installs, and a first scenario. Keeps every file that is
 * already there.
 */
export async function initCommand(named: string, flags: InitFlags): Promise<ExitCode> {
  const folder = resolve(named);
  await requireFolder(folder);
  const repository = await readRepository(folder, readAsked(flags));
  const template = await readFile(join(packageRoot(), WORKFLOW_TEMPLATES[repository.kind]), 'utf8');
  const files = listFirstFiles(repository, template);
  const screen = openScreen({ json: false });
  const program = nameProgram(harnessVersion());
  for (const path of [...files.map((file) => file.path), program]) await refuseLinks(folder, path);
  const isPacked = (await stat(join(folder, program)).catch(() => null)) !== null;
  if (flags.dryRun) {
    for (const file of files) screen.print(await preview(folder, file));
    screen.print(isPacked ? `Would keep ${program}` : `Would write ${program}: this ralph-e2e, packed`);
    return EXIT.passed;
  }
  if (!isPacked) await packProgram(join(folder, dirname(program)));
  for (const file of files) screen.print(await writeFirst(folder, file));
  screen.print(`${isPacked ? 'Kept' : 'Written'}: ${program}`);
  screen.print(['', ...nextSteps(repository, folder, program)].join('\n'));
  return EXIT.passed;
}

/** A link on the way could lead out of the repository, or to where git finds programs to start. */
async function refuseLinks(folder: string, path: string): Promise<void> {
  for (let step = dirname(path); step !== '.'; step = dirname(step)) {
    const found = await lstat(join(folder, step)).catch(() => null);
    if (found?.isSymbolicLink() !== true) continue;
    throw new KnownError(`Expected a folder at ${step}, to write ${path}; found a link.`, {
      hint: 'Put a folder there.',
    });
  }
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => null);
  if (found?.isDirectory()) return;
  throw new KnownError(
    `Expected a repository at ${folder}, found ${found === null ? 'nothing' : 'a file'}.`,
    {
      hint: 'Name the folder of an existing repository.',
    },
  );
}

function readAsked({ for: named, plugin }: InitFlags): Parameters<typeof readRepository>[1] {
  const kind = readKind(named);
  if (plugin === undefined) return { kind, plugin: null };
  if (kind === 'ralph') throw new KnownError('--for ralph and --plugin cannot be combined.');
  return { kind: 'plugin', plugin: plugin === true ? null : plugin };
}

function readKind(value: string | undefined): RepositoryKind | null {
  if (value === undefined) return null;
  const kind = z.enum(REPOSITORY_KINDS).safeParse(value);
  if (kind.success) return kind.data;
  throw new KnownError(`--for ${value}: expected ${REPOSITORY_KINDS.join(' or ')}, found "${value}".`);
}

async function writeFirst(folder: string, { path, text }: FirstFile): Promise<string> {
  const existing = await readExisting(join(folder, path));
  if (existing === text) return `Unchanged: ${path}`;
  if (existing !== null) return `Kept: ${path}, which differs; --dry-run shows how`;
  await makeChosenFolder(dirname(join(folder, path)), 'Name a folder that you can write to.');
  await writeFile(join(folder, path), text, { flag: 'wx' });
  return `Written: ${path}`;
}

async function preview(folder: string, { path, text }: FirstFile): Promise<string> {
  const existing = await readExisting(join(folder, path));
  if (existing === null) return `Would write ${path}:\n\n${text}`;
  if (existing === text) return `Would leave ${path} unchanged\n`;
  return `Would keep ${path}, which differs:\n\n${createTwoFilesPatch(path, path, cleanText(existing), text, 'yours', 'of init')}`;
}

async function readExisting(path: string): Promise<string | null> {
  try {
    return await readPlainText(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

function nextSteps(repository: Repository, folder: string, program: string): string[] {
  const file = relative(process.cwd(), join(folder, SCENARIOS));
  const lane = needsClaudeCode(repository) ? 'scripted' : 'sim';
  const run = {
    ralph: ['--mock', '--ralph', 'embedded'],
    plugin: ['claude', ...(lane === 'sim' ? ['--mock'] : ['--lane', lane])],
  } as const satisfies Record<RepositoryKind, readonly string[]>;
  return [
    ...listNextSteps([
      ['run the scenario', [...run[repository.kind], '--scenarios', file]],
      [
        'show that each check can fail',
        ['prove', ...(lane === 'sim' ? [] : ['--lane', lane]), '--scenarios', file],
      ],
    ]),
    // Many repositories ignore *.tgz.
    `Then commit and push: ${quoteCommand(['git', ...inFolder(folder), 'add', '--force', WORKFLOW, SCENARIOS, program])}`,
    ...(repository.kind === 'ralph' && !repository.hasSources
      ? ["Ralph's sources are not here, so the workflow tests the release that it installs from crates.io."]
      : []),
    `The workflow installs ${program}, because ralph-e2e is not on npm yet.`,
    `${join(packageRoot(), 'docs/ci.md')} explains the workflow.`,
  ];
}

function inFolder(folder: string): string[] {
  const place = relative(process.cwd(), folder);
  return place === '' ? [] : ['-C', place];
}
