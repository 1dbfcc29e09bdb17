import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../exec/files/package-root.js';

/** The kinds of test projects. */
export const PROJECT_TYPES = ['web-app', 'cli', 'library'] as const;
export type ProjectType = (typeof PROJECT_TYPES)[number];

/** The languages of test projects. */
export const PROJECT_LANGUAGES = ['python', 'javascript', 'go'] as const;
export type ProjectLanguage = (typeof PROJECT_LANGUAGES)[number];

/** Text files, by their path in the project. */
export type ProjectFiles = Readonly<Record<string, string>>;

interface Language {
  /** The command that runs the project's own tests, from its folder. */
  readonly testCommand: string;
  readonly ignored: readonly string[];
  /** The command that uses the CLI, from its folder. */
  readonly cli: string;
  /** The command that serves the web app on the port in `PORT`, from its folder. */
  readonly serve: readonly [string, ...string[]];
}

/** No project installs anything: each uses its language's own test runner and libraries. */
export const LANGUAGES: Readonly<Record<ProjectLanguage, Language>> = {
  python: {
    testCommand: 'python3 -m unittest discover -s tests',
    ignored: ['__pycache__/', '*.pyc'],
    cli: 'python3 -m calculator add 2 3',
    serve: ['python3', '-m', 'app'],
  },
  javascript: {
    testCommand: 'node --test',
    ignored: ['node_modules/'],
    cli: 'node src/cli.js add 2 3',
    serve: ['node', 'src/main.js'],
  },
  go: {
    testCommand: 'go test ./...',
    ignored: ['*.test', '*.out', '/bin/'],
    cli: 'go run . add 2 3',
    serve: ['go', 'run', '.'],
  },
};

/** The folders of each kind of project, in this order: a CLI is a library with more files, and every web app has the page. */
const FOLDERS = {
  library: (language) => [`${language}/library`],
  cli: (language) => [`${language}/library`, `${language}/cli`],
  'web-app': (language) => ['page', `${language}/web-app`],
} satisfies Record<ProjectType, (language: ProjectLanguage) => string[]>;

/** Returns the files of a project, with `{{…}}` where its name belongs. */
export function readTemplate(type: ProjectType, language: ProjectLanguage): ProjectFiles {
  return Object.assign({}, ...FOLDERS[type](language).map(readFolder));
}

/** Scenarios render projects while the catalogue is loaded, so each folder is read once. */
const read = new Map<string, ProjectFiles>();

function readFolder(name: string): ProjectFiles {
  const known = read.get(name);
  if (known !== undefined) return known;
  const folder = join(packageRoot(), 'dist', 'projects', name);
  const files = Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
  read.set(name, files);
  return files;
}
