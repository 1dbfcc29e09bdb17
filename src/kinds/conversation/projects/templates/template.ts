/** The kinds of test projects. */
export const PROJECT_TYPES = ['web-app', 'cli', 'library'] as const;
export type ProjectType = (typeof PROJECT_TYPES)[number];

/** The languages of test projects. */
export const PROJECT_LANGUAGES = ['python', 'javascript', 'go'] as const;
export type ProjectLanguage = (typeof PROJECT_LANGUAGES)[number];

/** Text files, by their path in the project. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** The name of a project: a title for people, and a slug for package managers. */
export interface ProjectName {
  readonly title: string;
  readonly slug: string;
}

/** One kind of project in one language. */
export interface ProjectTemplate {
  /** The command that uses it, from its folder. */
  readonly usage?: string;
  /** The command that serves it on the port in `PORT`, from its folder. */
  readonly serve?: readonly [string, ...string[]];
  readonly files: (name: ProjectName) => ProjectFiles;
}

/** The projects of one language. */
export interface LanguageTemplates {
  /** The command that runs the project's own tests, from its folder. */
  readonly testCommand: string;
  readonly ignored: readonly string[];
  readonly projects: Readonly<Record<ProjectType, ProjectTemplate>>;
}
