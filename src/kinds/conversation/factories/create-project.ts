import { join } from 'node:path';
import { removeTree } from '../../../exec/files/remove-tree.js';
import {
  createTestProject,
  type TestProject,
  type TestProjectOptions,
} from '../projects/create-test-project.js';
import { setupGitRepo } from '../projects/repo-and-files.js';
import { type Closable, closable, inNewFolder } from './closable.js';

/** The options of `createProject`. */
export interface ProjectOptions extends Omit<TestProjectOptions, 'path'> {
  /** Whether it is a git repo with one commit; true by default. */
  readonly git?: boolean;
}

/** A project. Closing it removes its folder. */
export interface Project extends TestProject, Closable {}

/** Creates a small project with its own tests in a new folder, as a git repo. */
export function createProject({ git = true, ...options }: ProjectOptions): Promise<Project> {
  return inNewFolder(async (folder) => {
    const project = await createTestProject({ ...options, path: join(folder, 'project') });
    if (git) await setupGitRepo(project.path);
    return closable({ ...project }, () => removeTree(folder));
  });
}
