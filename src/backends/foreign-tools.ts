import type { ToolRecipes } from '../domain/tool-recipe.js';

/** codex, with a model that it does not know: everything goes through a shell. */
const codex: ToolRecipes = {
  run: { tool: 'exec_command', parameters: ['cmd'], input: ({ command }) => ({ cmd: command }) },
};

/** gemini, which refuses `$()` and backticks in commands. */
const gemini: ToolRecipes = {
  write: {
    tool: 'write_file',
    parameters: ['file_path', 'content'],
    input: ({ path, content }) => ({ file_path: path, content }),
  },
  edit: {
    tool: 'replace',
    parameters: ['file_path', 'old_string', 'new_string'],
    input: ({ path, old, new: text }) => ({
      file_path: path,
      old_string: old,
      new_string: text,
      instruction: 'Replace the text.',
    }),
  },
  read: { tool: 'read_file', parameters: ['file_path'], input: ({ path }) => ({ file_path: path }) },
  run: { tool: 'run_shell_command', parameters: ['command'], input: ({ command }) => ({ command }) },
};

/** pi, whose tools share their names with OpenCode's. */
const pi: ToolRecipes = {
  write: {
    tool: 'write',
    parameters: ['path', 'content'],
    input: ({ path, content }) => ({ path, content }),
  },
  edit: {
    tool: 'edit',
    parameters: ['path', 'oldText', 'newText'],
    input: ({ path, old, new: text }) => ({ path, oldText: old, newText: text }),
  },
  read: { tool: 'read', parameters: ['path'], input: ({ path }) => ({ path }) },
  run: { tool: 'bash', parameters: ['command'], input: ({ command }) => ({ command }) },
};

/** Tools of agent CLIs that can ask our model server but are no backends of ours. */
export const FOREIGN_TOOLS: readonly ToolRecipes[] = [codex, gemini, pi];
