import { join } from 'node:path';
import type { CommandText, CommandVariables } from '../../expand-command.js';
import { listMarkdown, readText } from '../../plugins/files.js';
import { type ParseYaml, readArgumentNames, readHeaded, textField } from '../../plugins/head.js';

/** A slash command from a file; the text of the file is the prompt. */
export interface CommandFile extends CommandText {
  readonly name: string;
  /** Other names that it answers to. */
  readonly aliases: readonly string[];
  readonly description: string;
  readonly argumentHint: string;
  /** Whether users can call it; if not, only the model can. */
  readonly isListed: boolean;
  /** Whether the model cannot load it. */
  readonly isForUsersOnly: boolean;
  /** Variables that its plugin adds. */
  readonly variables: CommandVariables;
}

/** Reads the commands in a folder; subfolders become part of the name. */
export function readCommands(folder: string, parseYaml: ParseYaml): CommandFile[] {
  return listMarkdown(folder).map((file) => {
    const { fields, body } = readHeaded(readText(join(folder, file)), parseYaml);
    return {
      name: file.replace(/\.md$/, '').split('/').join(':'),
      aliases: [],
      description: textField(fields, 'description'),
      argumentHint: textField(fields, 'argument-hint'),
      argumentNames: readArgumentNames(fields),
      body,
      skillFolder: null,
      isListed: true,
      isForUsersOnly: false,
      variables: {},
    };
  });
}
