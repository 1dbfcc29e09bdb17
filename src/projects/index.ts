export {
  createSampleFiles,
  type SampleFile,
  type SampleFiles,
} from './create-sample-files.js';
export {
  createTestProject,
  renderProject,
  type TestProject,
  type TestProjectOptions,
} from './create-test-project.js';
export { DEFECT_NAMES, type DefectName, defectsOf } from './defects.js';
export {
  BROKEN_PLUGINS,
  FIXTURE_PLUGINS,
  type FixturePlugin,
  fixtureMarketplace,
  fixturePluginFolder,
} from './fixture-plugins.js';
export { type GitRepo, type GitRepoOptions, setupGitRepo } from './setup-git-repo.js';
export {
  PROJECT_LANGUAGES,
  PROJECT_TYPES,
  type ProjectLanguage,
  type ProjectType,
} from './templates/template.js';
