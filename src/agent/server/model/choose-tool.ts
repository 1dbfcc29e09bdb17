import { isAbsolute, join } from 'node:path';
import type { NeutralTool, OfferedTool, ToolRecipe, ToolRecipes } from '../../../domain/tool-recipe.js';
import { catCommand, putCommand } from '../../engine/workflow.js';

/** The tools a request offers, and where they run. */
export interface Toolbox {
  readonly offered: readonly OfferedTool[];
  readonly recipes: readonly ToolRecipes[];
  readonly cwd: string | null;
}

export interface ChosenTool {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Picks an offered tool that performs a neutral step; throws if none can. */
export function chooseTool(tool: NeutralTool, toolbox: Toolbox): ChosenTool {
  const chosen = findTool(tool, toolbox);
  if (chosen !== null) return chosen;
  const command = toShell(tool);
  const task = tool.kind === 'run' ? 'run a command' : `${tool.kind} a file`;
  const refusal = command === null ? null : findRefusal({ kind: 'run', command }, toolbox);
  if (refusal !== null) throw new Error(`the script wants to ${task}, but ${refusal}: ${command}`);
  const names = toolbox.offered.map(({ name }) => name).join(', ') || 'none';
  throw new Error(
    `the script wants to ${task}, but the request offers no known tool for it (offered: ${names})`,
  );
}

/** Finds an offered tool that performs a neutral step, if need be the shell; null if none can. */
export function findTool(tool: NeutralTool, toolbox: Toolbox): ChosenTool | null {
  const command = toShell(tool);
  return fitTool(tool, toolbox) ?? (command === null ? null : fitTool({ kind: 'run', command }, toolbox));
}

/** Whether an offered tool can run commands. */
export function canRun(toolbox: Toolbox): boolean {
  return fitTool({ kind: 'run', command: 'true' }, toolbox) !== null;
}

/** Why the offered shell rejects a command, or null. */
function findRefusal(
  tool: Extract<NeutralTool, { kind: 'run' }>,
  { recipes, offered }: Toolbox,
): string | null {
  const shell = recipes.find(({ run }) => offered.some(({ name }) => name === run?.tool))?.run;
  return shell?.refuses?.(tool) ?? null;
}

/** Whether a tool refused because the agent must read the file first. */
export function wantsReading(name: string, result: string, { recipes }: Pick<Toolbox, 'recipes'>): boolean {
  return recipes
    .flatMap(({ write, edit }) => [write, edit])
    .some((recipe) => recipe?.tool === name && recipe.mustReadFirst?.test(result) === true);
}

/** Extracts the text of a file from the result of the tool that read it. */
export function readToolText(name: string, result: string, { recipes }: Pick<Toolbox, 'recipes'>): string {
  const recipe = recipes.map(({ read }) => read).find((candidate) => candidate?.tool === name);
  return recipe?.plainText?.(result) ?? result;
}

function fitTool(tool: NeutralTool, toolbox: Toolbox): ChosenTool | null {
  const { recipes, cwd } = toolbox;
  switch (tool.kind) {
    case 'write':
      return fitRecipe(
        recipes.map(({ write }) => write),
        { ...tool, path: absolute(tool.path, cwd) },
        toolbox,
      );
    case 'edit':
      return fitRecipe(
        recipes.map(({ edit }) => edit),
        { ...tool, path: absolute(tool.path, cwd) },
        toolbox,
      );
    case 'read':
      return fitRecipe(
        recipes.map(({ read }) => read),
        { ...tool, path: absolute(tool.path, cwd) },
        toolbox,
      );
    case 'run':
      return fitRecipe(
        recipes.map(({ run }) => run),
        tool,
        toolbox,
      );
    default:
      return tool satisfies never;
  }
}

function fitRecipe<Tool extends NeutralTool>(
  recipes: readonly (ToolRecipe<Tool> | undefined)[],
  tool: Tool,
  { offered }: Toolbox,
): ChosenTool | null {
  const recipe = recipes.find(
    (candidate) =>
      (candidate?.refuses?.(tool) ?? null) === null &&
      offered.some(
        ({ name, parameters }) =>
          name === candidate?.tool &&
          candidate.parameters.every((parameter) => parameters.includes(parameter)),
      ),
  );
  return recipe === undefined ? null : { name: recipe.tool, input: recipe.input(tool) };
}

/** Most file tools need an absolute path. */
function absolute(path: string, cwd: string | null): string {
  return cwd === null || isAbsolute(path) ? path : join(cwd, path);
}

function toShell(tool: NeutralTool): string | null {
  switch (tool.kind) {
    case 'write':
      return putCommand(tool.path, '>', tool.content);
    case 'read':
      return catCommand(tool.path);
    case 'run':
      return tool.command;
    case 'edit':
      return null;
    default:
      return tool satisfies never;
  }
}
