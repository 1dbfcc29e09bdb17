import { KnownError } from '../../../domain/common/known-error.js';
import type { ProjectFiles, ProjectLanguage, ProjectType } from './templates.js';

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
export function plantDefect(
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
