import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArrangedFile, Arrangement, ScenarioContext } from '../../domain/scenario/arrangement.js';
import type {
  ConversationArrangement,
  PluginSource,
} from '../../domain/scenario/conversation-arrangement.js';
import type { Scenario } from '../../domain/scenario/scenario.js';

/** Collects every text that a scenario puts before the agent: prompts, turns, configuration, files and plugins. */
export function sentTexts(scenario: Scenario, context: ScenarioContext): string[] {
  switch (scenario.kind) {
    case 'ralph':
      return ralphTexts(scenario.arrange(context));
    case 'conversation':
      return conversationTexts(scenario.arrange(context));
    default:
      return scenario satisfies never;
  }
}

function ralphTexts({ prompt, config, files, before = [], args = [] }: Arrangement): string[] {
  return [
    prompt,
    ...textsIn(config),
    ...fileTexts(files),
    ...before.flatMap((errand) => {
      if ('session' in errand) return [errand.session.prompt];
      return 'ralph' in errand ? errand.ralph : errand.git;
    }),
    ...args,
  ];
}

function conversationTexts({ turns, files, plugins = [], devServer }: ConversationArrangement): string[] {
  return [
    ...turns.map((turn) => (typeof turn === 'string' ? turn : turn.prompt)),
    ...fileTexts(files),
    ...plugins.flatMap(pluginTexts),
    // A server may tell the agent whatever it was started with.
    ...(devServer?.run ?? []),
  ];
}

function fileTexts(files: Readonly<Record<string, ArrangedFile | null>> = {}): string[] {
  return Object.entries(files).flatMap(([path, file]) =>
    file === null ? [] : [path, typeof file === 'string' ? file : file.content],
  );
}

function pluginTexts(plugin: PluginSource): string[] {
  if (typeof plugin === 'string') return folderTexts(plugin);
  const { from, files, stubs } = plugin;
  return [
    ...(from === undefined ? [] : folderTexts(from)),
    ...fileTexts(files),
    ...(stubs === undefined ? [] : [JSON.stringify(stubs)]),
  ];
}

/** A folder that is missing on purpose sends nothing. */
function folderTexts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')]);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}
