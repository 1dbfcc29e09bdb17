import { readdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { makeFolder } from '../../../exec/files/make-folder.js';
import {
  LANGUAGES,
  type ProjectFiles,
  type ProjectLanguage,
  type ProjectType,
  readTemplate,
} from './templates.js';

/** The options of a test project. */
export interface TestProjectOptions {
  /** The kind of program. */
  readonly type: ProjectType;
  /** The programming language. */
  readonly language: ProjectLanguage;
  /** The folder of the project: an absolute path that does not exist yet, or an empty folder. */
  readonly path: string;
  /** The title of the project; "Sample <type>" by default. */
  readonly name?: string;
  /** The defects that the project has; none by default. */
  readonly defect?: DefectName | readonly DefectName[];
}

/** A created test project. */
export interface TestProject {
  /** The folder of the project. */
  readonly path: string;
  /** The kind of program. */
  readonly type: ProjectType;
  /** The programming language. */
  readonly language: ProjectLanguage;
  /** Its files, relative to its folder and sorted. */
  readonly files: readonly string[];
  /** The command that runs its own tests, from its folder. */
  readonly testCommand: string;
  /** The command that serves it on the port in `PORT`, from its folder; null if it is not a web app. */
  readonly serveCommand: readonly [string, ...string[]] | null;
}

/** Creates a small project with tests. They pass unless the project has a defect. */
export async function createTestProject(options: TestProjectOptions): Promise<TestProject> {
  const { type, language, path } = options;
  const files = renderProject(options);
  await openEmptyFolder(path);
  for (const [file, text] of Object.entries(files)) {
    await makeFolder(dirname(join(path, file)));
    await writeFile(join(path, file), text);
  }
  return {
    path,
    type,
    language,
    files: Object.keys(files).sort(),
    testCommand: LANGUAGES[language].testCommand,
    serveCommand: type === 'web-app' ? LANGUAGES[language].serve : null,
  };
}

/** Returns the files of a small project with tests, without writing them. */
export function renderProject({
  type,
  language,
  name,
  defect,
}: Omit<TestProjectOptions, 'path'>): ProjectFiles {
  const { ignored, testCommand } = LANGUAGES[language];
  const { title, slug } = readName(name ?? `Sample ${type}`);
  const values = { title: escapeHtml(title), slug, package: type === 'library' ? 'calculator' : 'main' };
  const commands = [...usage(type, language), testCommand];
  const whole: ProjectFiles = {
    'README.md': `# ${title}\n\n${WHAT[type]}\n\n\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`,
    '.gitignore': `${ignored.join('\n')}\n`,
    ...fill(readTemplate(type, language), values),
  };
  const defects = defect === undefined ? [] : [defect].flat();
  return defects.reduce<ProjectFiles>((sofar, wrong) => plantDefect(sofar, wrong, { type, language }), whole);
}

const WHAT: Readonly<Record<ProjectType, string>> = {
  library: 'Arithmetic as a library.',
  cli: 'Arithmetic on the command line.',
  'web-app': 'A list of tasks over HTTP, and a page. How the page should look is in design.md.',
};

function usage(type: ProjectType, language: ProjectLanguage): string[] {
  if (type === 'library') return [];
  if (type === 'cli') return [LANGUAGES[language].cli];
  return [`PORT=3000 ${language === 'javascript' ? 'npm start' : LANGUAGES[language].serve.join(' ')}`];
}

function fill(files: ProjectFiles, values: Readonly<Record<string, string>>): ProjectFiles {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => values[name] ?? whole),
    ]),
  );
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Reads a name as a title for people and a slug for package managers. */
function readName(title: string): { readonly title: string; readonly slug: string } {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (slug !== '' && !/[\n\r]/.test(title)) return { title, slug };
  throw new KnownError(`${JSON.stringify(title)} is not a valid project name.`, {
    hint: 'Use one line with at least one letter (a-z) or digit, such as "Calculator App".',
  });
}

async function openEmptyFolder(path: string): Promise<void> {
  if (!isAbsolute(path)) {
    throw new KnownError(`Expected an absolute path for the project, found ${path}.`);
  }
  const found = await readdir(path).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return [];
    if (hasErrorCode(error, 'ENOTDIR'))
      throw new KnownError(`Expected a folder for the project at ${path}, found a file.`);
    throw error;
  });
  if (found.length > 0) {
    throw new KnownError(`${path} is not empty: it contains ${found.slice(0, 5).join(', ')}.`, {
      hint: 'Choose another folder, or empty this one.',
    });
  }
  await makeFolder(path);
}

export const DEFECT_NAMES = ['add-subtracts', 'wide-padding', 'sharp-corners', 'small-heading'] as const;
export type DefectName = (typeof DEFECT_NAMES)[number];

/** One replacement in one file. */
interface Defect {
  readonly types: readonly ProjectType[];
  readonly path: (language: ProjectLanguage) => string;
  readonly good: string;
  readonly bad: string;
}

const OPERATIONS: Readonly<Record<ProjectLanguage, string>> = {
  python: 'calculator/operations.py',
  javascript: 'src/operations.js',
  go: 'operations.go',
};

/** Returns a defect of the page, which is the same in every language. */
function inStyle(good: string, bad: string): Defect {
  return { types: ['web-app'], path: () => 'public/style.css', good, bad };
}

/** The defects of test projects, by name. The first makes the tests of the project fail; the others are only seen. */
const DEFECTS: Readonly<Record<DefectName, Defect>> = {
  'add-subtracts': {
    types: ['cli', 'library'],
    path: (language) => OPERATIONS[language],
    good: 'return a + b',
    bad: 'return a - b',
  },
  'wide-padding': inStyle('padding: 24px', 'padding: 32px'),
  'sharp-corners': inStyle('border-radius: 12px', 'border-radius: 4px'),
  'small-heading': inStyle('font-size: 28px', 'font-size: 20px'),
};

/** Returns the defects that a kind of project can have. */
export function defectsOf(type: ProjectType): readonly DefectName[] {
  return DEFECT_NAMES.filter((name) => DEFECTS[name].types.includes(type));
}

/** Returns the files of a project with a defect added. */
function plantDefect(
  files: ProjectFiles,
  name: DefectName,
  { type, language }: { readonly type: ProjectType; readonly language: ProjectLanguage },
): ProjectFiles {
  const { types, path, good, bad } = DEFECTS[name];
  if (!types.includes(type)) {
    throw new KnownError(`A ${type} cannot have the defect "${name}".`, {
      hint: `Defects that a ${type} can have: ${defectsOf(type).join(', ')}.`,
    });
  }
  const file = path(language);
  const text = files[file];
  if (text?.includes(good) !== true)
    throw new Error(`the defect ${name} found no "${good}" in ${file}: its table is out of date`);
  return { ...files, [file]: text.replace(good, () => bad) };
}
