import * as z from 'zod';
import { createTestProject } from '../../kinds/conversation/projects/create-test-project.js';
import { createSampleFiles, setupGitRepo } from '../../kinds/conversation/projects/repo-and-files.js';
import { PROJECT_LANGUAGES, PROJECT_TYPES } from '../../kinds/conversation/projects/templates.js';
import { ARTIFACT_TYPES, captureArtifacts } from '../capture-artifacts.js';
import { defineTool, pageShape, type Tool, takePage } from '../tool.js';

const MAX_LISTED = 20;

export const environmentTools: readonly Tool[] = [
  defineTool({
    name: 'create_test_project',
    description: 'Creates a small project with passing tests.',
    input: z.object({
      project_type: z.enum(PROJECT_TYPES),
      language: z.enum(PROJECT_LANGUAGES),
      output_path: z.string().describe('A folder inside the root that is empty or does not exist'),
      project_name: z.string().optional(),
    }),
    output: z.object({
      status: z.literal('success'),
      project_path: z.string(),
      project_type: z.string(),
      language: z.string(),
      files_created: z.array(z.string()).describe(`The first ${MAX_LISTED} files`),
      total_files: z.number(),
      test_command: z.string(),
    }),
    run: async ({ project_type, language, output_path, project_name }, harness) => {
      const path = await harness.paths.inside(output_path, 'output_path');
      harness.requireFree(path, 'output_path');
      const project = await harness.projects.add(path, () =>
        createTestProject({
          type: project_type,
          language,
          path,
          ...(project_name === undefined ? {} : { name: project_name }),
        }),
      );
      return {
        status: 'success' as const,
        project_path: project.path,
        project_type,
        language,
        files_created: project.files.slice(0, MAX_LISTED),
        total_files: project.files.length,
        test_command: project.testCommand,
      };
    },
  }),

  defineTool({
    name: 'setup_git_repo',
    description: 'Turns a project into a git repo and commits all its files as "Initial commit".',
    input: z.object({ project_path: z.string() }),
    output: z.object({ status: z.literal('success'), commit_hash: z.string(), files_tracked: z.number() }),
    run: async ({ project_path }, harness) => {
      const path = await harness.paths.existing(project_path, 'project_path', 'folder');
      const { commitHash, filesTracked } = await setupGitRepo(path);
      return { status: 'success' as const, commit_hash: commitHash.slice(0, 8), files_tracked: filesTracked };
    },
  }),

  defineTool({
    name: 'create_sample_files',
    description: 'Writes files into a project. If one cannot be written, the others still are.',
    input: z.object({
      project_path: z.string(),
      file_specs: z.array(z.object({ path: z.string().min(1), content: z.string() })).min(1),
    }),
    output: z.object({
      status: z.enum(['success', 'error']),
      files_created: z.number(),
      errors: z.array(z.string()),
    }),
    run: async ({ project_path, file_specs }, harness) => {
      const path = await harness.paths.existing(project_path, 'project_path', 'folder');
      const { created, errors } = await createSampleFiles(path, file_specs, async (target) =>
        harness.requireFree(await harness.paths.inside(target, 'path'), 'path'),
      );
      return {
        status: created.length > 0 ? ('success' as const) : ('error' as const),
        files_created: created.length,
        errors: errors.map((error) => `${error.path}: ${error.message}`),
      };
    },
  }),

  defineTool({
    name: 'reset_test_environment',
    description:
      'Ends every conversation and MCP server, removes plugins, mocks, private homes and captured output, and deletes the projects and workspaces that this server created. Artifacts and histories stay, unless clear_artifacts is set.',
    input: z.object({
      clear_artifacts: z
        .boolean()
        .default(false)
        .describe('Also delete the artifacts and histories that this server saved'),
    }),
    output: z.object({
      status: z.boolean(),
      projects_cleaned: z.boolean(),
      volumes_cleaned: z
        .boolean()
        .describe('The private homes and the configuration folder of the plugins were removed'),
      sessions_cleaned: z.boolean(),
      artifacts_cleaned: z.boolean().describe('False if they were kept'),
      removed: z.object({
        projects: z.number(),
        workspaces: z.number(),
        sessions: z.number(),
        mcp_servers: z.number(),
        plugins: z.number(),
        artifacts: z.number(),
      }),
      left: z
        .array(z.string())
        .describe(
          'Paths that were not deleted: something else is there now, such as a link, or it could not be removed',
        ),
    }),
    run: async ({ clear_artifacts }, harness) => {
      const ended = await harness.endEverything();
      const projects = await harness.projects.remove();
      const workspaces = await harness.workspaces.remove();
      const artifacts = clear_artifacts ? await harness.captured.remove() : null;
      const plugins = harness.plugins.installed.length;
      await harness.mocks.clear();
      harness.hookRuns.length = 0;
      harness.sessions.forgetEnded();
      const volumesLeft = await harness.clearScratch();
      const projectsLeft = [...projects.left, ...workspaces.left];
      const artifactsLeft = artifacts?.left ?? [];
      const left = [...projectsLeft, ...artifactsLeft, ...volumesLeft];
      const sessionsCleaned = harness.sessions.all.length === 0;
      return {
        status: left.length === 0 && sessionsCleaned,
        projects_cleaned: projectsLeft.length === 0,
        volumes_cleaned: volumesLeft.length === 0,
        sessions_cleaned: sessionsCleaned,
        artifacts_cleaned: artifacts !== null && artifactsLeft.length === 0,
        left,
        removed: {
          projects: projects.removed,
          workspaces: workspaces.removed,
          sessions: ended.sessions,
          mcp_servers: ended.servers,
          plugins,
          artifacts: artifacts?.removed ?? 0,
        },
      };
    },
  }),

  defineTool({
    name: 'capture_test_artifacts',
    description:
      'Saves what the conversations left: logs (output, requests to the model), screenshots (images in their folders), session_state, git_diffs.',
    input: z.object({
      test_name: z
        .string()
        .trim()
        .min(1)
        .max(1_000)
        .describe('For example test_x or test_x[agent-loop]. What no folder can be named becomes _'),
      artifact_types: z.array(z.enum(ARTIFACT_TYPES)).min(1).default(['logs', 'screenshots']),
      limit: pageShape.limit.describe('How many paths to return. Default: all. Every file is saved'),
      offset: pageShape.offset,
    }),
    output: z.object({
      status: z.literal('success'),
      artifacts_dir: z.string(),
      files_captured: z.number(),
      artifact_paths: z.array(z.string()),
    }),
    run: async ({ test_name, artifact_types, ...page }, harness) => {
      const { folder, files } = await captureArtifacts(harness, test_name, artifact_types);
      return {
        status: 'success' as const,
        artifacts_dir: folder,
        files_captured: files.length,
        artifact_paths: takePage(files, page),
      };
    },
  }),
];
