/** What kind of program a test project is. */
export const PROJECT_TYPES = ['web-app', 'cli', 'library'] as const;
export type ProjectType = (typeof PROJECT_TYPES)[number];

/** What it is written in. */
export const PROJECT_LANGUAGES = ['python', 'javascript', 'go'] as const;
export type ProjectLanguage = (typeof PROJECT_LANGUAGES)[number];

/** Text files by their path in the project. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** The name of a project as people read it, and as package managers take it. */
export interface ProjectName {
  readonly title: string;
  readonly slug: string;
}

/** One kind of project in one language. */
export interface ProjectTemplate {
  /** How it is used, from its folder. */
  readonly usage?: string;
  readonly files: (name: ProjectName) => ProjectFiles;
}

/** The projects of one language. */
export interface LanguageTemplates {
  /** How the project's own tests are run, from its folder. */
  readonly testCommand: string;
  readonly ignored: readonly string[];
  readonly projects: Readonly<Record<ProjectType, ProjectTemplate>>;
}
