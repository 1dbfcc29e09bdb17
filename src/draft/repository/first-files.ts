import { IMITATED_RALPH } from '../../domain/stand-ins.js';
import { draftBlank } from '../blank.js';
import { draftConversations } from './conversation.js';
import type { Repository, RepositoryKind } from './read-repository.js';

/** A file that `init` writes; the path is relative to the repository. */
export interface FirstFile {
  readonly path: string;
  readonly text: string;
}

/** The workflow for each kind of repository, as a path in our package. */
export const WORKFLOW_TEMPLATES = {
  ralph: 'examples/ci/github/ralph-e2e.yml',
  plugin: 'examples/ci/github/plugin.yml',
} as const satisfies Record<RepositoryKind, string>;

export const SCENARIOS = 'e2e/scenarios.mjs';
export const WORKFLOW = '.github/workflows/ralph-e2e.yml';

/** Names the packed ralph-e2e that the workflow installs, because it is not on npm. */
export function nameProgram(version: string): string {
  return `e2e/ralph-e2e-${version}.tgz`;
}

const CLAUDE_CODE = '@anthropic-ai/claude-code@2.1.325';

/** Whether a plugin has something that only the real Claude Code plays, such as MCP servers. */
export function needsClaudeCode(repository: Repository): boolean {
  return repository.kind === 'plugin' && repository.plugins.some(({ notPlayed }) => notPlayed !== null);
}

/** Lists the files that a repository needs to be tested on each pull request. */
export function listFirstFiles(repository: Repository, template: string): readonly FirstFile[] {
  switch (repository.kind) {
    case 'ralph':
      return [
        {
          path: WORKFLOW,
          text: repository.hasSources
            ? template
            : swap(template, '--path crates/ralph-cli', `ralph-cli@${IMITATED_RALPH}`),
        },
        { path: SCENARIOS, text: `${HOW_TO_ADD}${draftBlank('first-scenario')}` },
      ];
    case 'plugin': {
      const scripted = swap(template, 'claude --mock', 'claude --lane scripted');
      const install = swap(scripted, '"$RALPH_E2E"', `"$RALPH_E2E" ${CLAUDE_CODE}`);
      return [
        { path: WORKFLOW, text: needsClaudeCode(repository) ? install : template },
        { path: SCENARIOS, text: `${HOW_TO_ADD}${draftConversations(repository.plugins)}` },
      ];
    }
  }
}

const HOW_TO_ADD = `// The scenarios of this repository. To add one, run \`ralph-e2e new my-idea --output e2e\`, and export what it wrote:
//   export * from './my-idea.scenario.mjs';

`;

function swap(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`expected "${from}" in the workflow template`);
  return text.replaceAll(from, to);
}
