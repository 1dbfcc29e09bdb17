import { KnownError } from '../../../domain/common/known-error.js';

/** A slash command that a session offers. */
export interface OfferedCommand {
  /** The name without its slash. A plugin's command includes the plugin: `agent-loop:plan`. */
  readonly name: string;
  /** Other names that the CLI accepts. */
  readonly aliases?: readonly string[];
  /** What the command does, in its own words. */
  readonly description: string;
  /** What to write after the command. */
  readonly argumentHint: string;
}

/** The error for a command that several plugins have. */
export class CommandAmbiguousError extends KnownError {}

/** The error for an agent that the session does not have. The CLI would answer as if none was asked for. */
export class AgentNotFoundError extends KnownError {}

/** The error for an unknown command. The CLI would refuse it or, in newer releases, pass it to the model as plain text. */
export class CommandNotFoundError extends KnownError {}

/**
 * Returns a prompt as it must be sent. The CLI does not know a plugin's command by its bare name (`/plan`), so the name
 * is resolved to the one command that it can mean.
 */
export function resolvePrompt(prompt: string, offered: readonly OfferedCommand[]): string {
  const match = /^\/([^\s/]+)(?=\s|$)/.exec(prompt);
  if (match === null) return prompt;
  const [whole, name = ''] = match;
  return `/${resolveCommand(name, offered)}${prompt.slice(whole.length)}`;
}

/** Returns the full name of a command, or throws an error that lists the known ones. */
function resolveCommand(name: string, offered: readonly OfferedCommand[]): string {
  if (offered.some((command) => namesOf(command).includes(name))) return name;
  const meant = offered.flatMap((command) => {
    const names = namesOf(command);
    const [full = command.name] = names;
    return names.some((known) => known.split(':').at(-1) === name) ? [full] : [];
  });
  const [only, ...more] = meant;
  if (only !== undefined && more.length === 0) return only;
  if (only !== undefined) {
    throw new CommandAmbiguousError(`/${name} can mean ${meant.map((found) => `/${found}`).join(' or ')}.`, {
      hint: 'Use the full name of the command.',
    });
  }
  const plugins = offered.flatMap((command) => namesOf(command).filter((known) => known.includes(':')));
  throw new CommandNotFoundError(`The session has no command /${name}.`, {
    hint: `Plugin commands: ${plugins.map((found) => `/${found}`).join(', ') || 'none'}.`,
  });
}

/** Lists the names that can be written: for the CLI, a name ends at the first space. */
function namesOf({ name, aliases = [] }: OfferedCommand): string[] {
  return [name, ...aliases].filter((known) => !/\s/.test(known));
}
