import { KnownError } from '../../../domain/common/known-error.js';
import type { ProjectFiles, ProjectLanguage, ProjectType } from './templates.js';

/** One replacement that a defect makes in a file. */
interface Edit {
  readonly path: string;
  readonly good: string;
  readonly bad: string;
}

export const DEFECT_NAMES = [
  'add-subtracts',
  'off-by-one',
  'missing-function',
  'wide-padding',
  'sharp-corners',
  'small-heading',
] as const;
export type DefectName = (typeof DEFECT_NAMES)[number];

interface Defect {
  readonly description: string;
  readonly types: readonly ProjectType[];
  readonly edits: Readonly<Record<ProjectLanguage, Edit>>;
  /** The edits for a web app, whose code differs. */
  readonly webApp?: Readonly<Record<ProjectLanguage, Edit>>;
}

/** Returns the same edit for every language, because all share the page. */
function inStyle(good: string, bad: string): Readonly<Record<ProjectLanguage, Edit>> {
  const edit = { path: 'public/style.css', good, bad };
  return { python: edit, javascript: edit, go: edit };
}

const PYTHON = 'calculator/operations.py';
const JAVASCRIPT = 'src/operations.js';
const GO = 'operations.go';

/** The defects of test projects, by name. */
const DEFECTS: Readonly<Record<DefectName, Defect>> = {
  'add-subtracts': {
    description: 'add subtracts',
    types: ['cli', 'library'],
    edits: {
      python: { path: PYTHON, good: 'return a + b', bad: 'return a - b' },
      javascript: { path: JAVASCRIPT, good: 'return a + b', bad: 'return a - b' },
      go: { path: GO, good: 'return a + b', bad: 'return a - b' },
    },
  },
  'off-by-one': {
    description: 'a total misses its last number; tasks count from zero',
    types: ['cli', 'library', 'web-app'],
    edits: {
      python: { path: PYTHON, good: 'range(len(numbers))', bad: 'range(len(numbers) - 1)' },
      javascript: { path: JAVASCRIPT, good: 'index < numbers.length', bad: 'index < numbers.length - 1' },
      go: { path: GO, good: 'index < len(numbers)', bad: 'index < len(numbers)-1' },
    },
    webApp: {
      python: { path: 'app/tasks.py', good: 'len(self.items) + 1', bad: 'len(self.items)' },
      javascript: { path: 'src/tasks.js', good: 'this.items.length + 1', bad: 'this.items.length' },
      go: { path: 'tasks.go', good: 'len(tasks.Items) + 1', bad: 'len(tasks.Items)' },
    },
  },
  'missing-function': {
    description: 'multiply is missing',
    types: ['cli', 'library'],
    edits: {
      python: { path: PYTHON, good: 'def multiply(a, b):\n    return a * b\n\n\n', bad: '' },
      javascript: {
        path: JAVASCRIPT,
        good: 'export function multiply(a, b) {\n  return a * b;\n}\n\n',
        bad: '',
      },
      go: { path: GO, good: 'func Multiply(a, b float64) float64 {\n\treturn a * b\n}\n\n', bad: '' },
    },
  },
  'wide-padding': {
    description: 'the card has a padding of 32px instead of 24px',
    types: ['web-app'],
    edits: inStyle('padding: 24px', 'padding: 32px'),
  },
  'sharp-corners': {
    description: 'the corners of the card are rounded by 4px instead of 12px',
    types: ['web-app'],
    edits: inStyle('border-radius: 12px', 'border-radius: 4px'),
  },
  'small-heading': {
    description: 'the heading is 20px instead of 28px',
    types: ['web-app'],
    edits: inStyle('font-size: 28px', 'font-size: 20px'),
  },
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
  if (!defectsOf(type).includes(name)) {
    throw new KnownError(`A ${type} cannot have the defect "${name}".`, {
      hint: `Defects that a ${type} can have: ${defectsOf(type).join(', ')}.`,
    });
  }
  const { edits, webApp } = DEFECTS[name];
  const edit = (type === 'web-app' ? webApp : undefined)?.[language] ?? edits[language];
  const text = files[edit.path];
  if (text?.includes(edit.good) !== true) {
    throw new Error(`the defect ${name} found no "${edit.good}" in ${edit.path}: its table is out of date`);
  }
  return { ...files, [edit.path]: text.replace(edit.good, () => edit.bad) };
}
