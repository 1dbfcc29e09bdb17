import { KnownError } from '../../../domain/common/known-error.js';

/** A slash command that a session offers. */
export interface OfferedCommand {
  /** The name without its slash. A plugin's command includes the plugin: `agent-loop:plan`. */
  readonly name: string;
  /** What the command does, in its own words. */
  readonly description: string;
  /** What to write after the command. */
  readonly argumentHint: string;
}

/** The error for a command that several plugins have. */
export class CommandAmbiguousError extends KnownError {}

/** The error for an unknown command. The CLI would refuse it or, in newer releases, pass it to the model as plain text. */
export class CommandNotFoundError extends KnownError {}

/**
 * Returns a prompt as it must be sent. The CLI does not know a plugin's command by its bare name (`/plan`), so the name
 * is resolved to the one command that it can mean.
 */
export function resolvePrompt(prompt: string, offered: readonly OfferedCommand[]): string {
  const match = /^\/([\w-]+(?::[\w-]+)?)(?=\s|$)/.exec(prompt);
  if (match === null) return prompt;
  const [whole, name = ''] = match;
  return `/${resolveCommand(name, offered)}${prompt.slice(whole.length)}`;
}

/** Returns the full name of a command, or throws an error that lists the known ones. */
function resolveCommand(name: string, offered: readonly OfferedCommand[]): string {
  const bare = name.replace(/^\//, '');
  if (offered.some((command) => command.name === bare)) return bare;
  const meant = offered
    .filter((command) => command.name.split(':').at(-1) === bare)
    .map((found) => found.name);
  const [only, ...more] = meant;
  if (only !== undefined && more.length === 0) return only;
  if (only !== undefined) {
    throw new CommandAmbiguousError(`/${bare} can mean ${meant.map((found) => `/${found}`).join(' or ')}.`, {
      hint: 'Use the full name of the command.',
    });
  }
  const plugins = offered.filter((command) => command.name.includes(':')).map((found) => `/${found.name}`);
  throw new CommandNotFoundError(`The session has no command /${bare}.`, {
    hint: `Plugin commands: ${plugins.join(', ') || 'none'}.`,
  });
}
