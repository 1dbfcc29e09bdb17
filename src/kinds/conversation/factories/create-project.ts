import { join } from 'node:path';
import { removeTree } from '../../../workspace/remove-tree.js';
import {
  createTestProject,
  setupGitRepo,
  type TestProject,
  type TestProjectOptions,
} from '../projects/index.js';
import { type Closable, closable, inNewFolder } from './closable.js';

export interface ProjectOptions extends Omit<TestProjectOptions, 'path'> {
  /** A git repo with one commit, unless it says false; `conventional` refuses commits that are named otherwise. */
  readonly git?: boolean | 'conventional';
}

/** A project that is gone when it is closed. */
export interface Project extends TestProject, Closable {}

/** Makes a small project with tests of its own in a new folder, as a git repo. */
export function createProject({ git = true, ...options }: ProjectOptions): Promise<Project> {
  return inNewFolder(async (folder) => {
    const project = await createTestProject({ ...options, path: join(folder, 'project') });
    if (git !== false) await setupGitRepo(project.path, { conventionalCommits: git === 'conventional' });
    return closable({ ...project }, () => removeTree(folder));
  });
}
