import { join } from 'node:path';
import type { ManagedSession } from '../../kinds/conversation/session/managed-session.js';
import type { Laboratory } from '../laboratory.js';
import type { CommandSource } from './expand.js';

/** A slash command that Claude Code reports, or that a plugin has. */
export interface KnownCommand {
  /** The name in Claude Code's list, without its slash. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly plugin: string | null;
  readonly description: string;
  /** Null if no file has it: it is Claude Code's own, or its plugin's manifest contains it. */
  readonly file: string | null;
  readonly available: boolean;
  /** Null if it is not a command of an installed plugin. */
  readonly source: CommandSource | null;
}

/** Lists the commands of a conversation, or without one those of the installed plugins. */
export function listKnownCommands(
  laboratory: Laboratory,
  session: ManagedSession | null,
): readonly KnownCommand[] {
  const plugins =
    session === null ? laboratory.plugins.installed : (laboratory.facts.get(session.id)?.plugins ?? []);
  const declared = plugins.flatMap((plugin): KnownCommand[] => {
    const { aliases, activeCommands } = plugin.status;
    const { commands, skills, path } = plugin.status.plugin;
    return [...commands, ...skills].map((part) => ({
      name: part.name,
      aliases: aliases.get(part.name) ?? part.aliases,
      plugin: plugin.name,
      description: part.description,
      file: part.file === '' ? null : join(path, part.file),
      available: activeCommands.includes(part.name),
      source: { plugin, part, isSkill: skills.includes(part) },
    }));
  });
  if (session === null) return declared;
  const offered = session.session.commands.map(({ name, aliases = [], description }): KnownCommand => {
    const own = declared.find((known) => known.name === name);
    return {
      name,
      aliases,
      plugin: own?.plugin ?? (name.includes(':') ? (name.split(':')[0] ?? null) : null),
      description,
      file: own?.file ?? null,
      available: true,
      source: own?.source ?? null,
    };
  });
  const missing = declared.filter((known) => !offered.some(({ name }) => name === known.name));
  return [...offered, ...missing.map((known) => ({ ...known, available: false }))];
}

/** Finds a command by any of its names. */
export function findKnownCommand(commands: readonly KnownCommand[], name: string): KnownCommand | undefined {
  return (
    commands.find((known) => known.name === name) ?? commands.find(({ aliases }) => aliases.includes(name))
  );
}
