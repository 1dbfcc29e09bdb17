import { join, relative, resolve } from 'node:path';
import { asList, isFile, listMarkdown, readText } from './files.js';
import { readHeaded, textField } from './head.js';
import { type PartsReader, pathNotFound } from './parts.js';

/** An agent of a plugin. */
export interface AgentPart {
  /** The name in Claude Code's list: `name:` in the head, or else the file, after the folders it is in. */
  readonly name: string;
  readonly file: string;
  readonly description: string;
  readonly body: string;
}

/** Reads the agents: those that the manifest names replace the folder `agents`; those of an entry come on top. */
export function readAgentParts(reader: PartsReader): AgentPart[] {
  const { root, manifest, entry } = reader;
  const folder = join(root, 'agents');
  const own =
    manifest.agents === undefined
      ? listMarkdown(folder).map((file) => readAgent(reader, join(folder, file), file.split('/')))
      : [];
  const named = [...asList(manifest.agents), ...asList(entry?.agents)].flatMap((path) => {
    const file = resolve(root, String(path));
    if (isFile(file)) return [readAgent(reader, file, [String(path).split('/').at(-1) ?? ''])];
    reader.faults.push(pathNotFound(file, 'agents'));
    return [];
  });
  const agents = [...own, ...named];
  return agents.filter(({ name }, index) => agents.findIndex((other) => other.name === name) === index);
}

function readAgent(reader: PartsReader, file: string, path: readonly string[]): AgentPart {
  const { fields, body } = readHeaded(readText(file), reader.parseYaml);
  const shown = relative(reader.root, file);
  const own = textField(fields, 'name', { lists: true }) || (path.at(-1) ?? '').replace(/\.md$/, '');
  return {
    name: [reader.manifest.name, ...path.slice(0, -1), own].join(':'),
    file: shown,
    description: textField(fields, 'description'),
    body,
  };
}
