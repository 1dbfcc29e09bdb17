import { join } from 'node:path';
import { isFile, listFolders, listMarkdown, readText } from './files.js';
import { type ParseYaml, readHeaded } from './head.js';

/**
 * Returns the objections of `claude plugin validate` to heads. It looks only at the usual folders, even if the manifest
 * names others.
 */
export function validateHeads(root: string, parseYaml: ParseYaml): string[] {
  const below = (folder: string) => listMarkdown(join(root, folder)).map((file) => join(folder, file));
  const skills = listFolders(join(root, 'skills'))
    .map((name) => join('skills', name, 'SKILL.md'))
    .filter((file) => isFile(join(root, file)));
  return [...below('commands'), ...below('agents'), ...skills].flatMap((file) => {
    const { problem } = readHeaded(readText(join(root, file)), parseYaml);
    return problem === null ? [] : [`${file}: ${problem}`];
  });
}
