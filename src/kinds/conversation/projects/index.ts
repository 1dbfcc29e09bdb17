export { createSampleFiles } from './create-sample-files.js';
export {
  createTestProject,
  renderProject,
  type TestProject,
  type TestProjectOptions,
} from './create-test-project.js';
export { type DefectName, defectsOf } from './defects.js';
export {
  BROKEN_PLUGINS,
  FIXTURE_PLUGINS,
  type FixturePlugin,
  fixtureMarketplace,
  fixturePluginFolder,
} from './fixture-plugins.js';
export { setupGitRepo } from './setup-git-repo.js';
export {
  PROJECT_LANGUAGES,
  PROJECT_TYPES,
  type ProjectType,
} from './templates.js';
