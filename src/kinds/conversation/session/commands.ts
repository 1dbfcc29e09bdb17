import { KnownError } from '../../../domain/common/known-error.js';

/** A slash command that a session offers. */
export interface OfferedCommand {
  /** Without its slash; of a plugin with its namespace: `agent-loop:plan`. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
}

/** A name that several plugins offer cannot be resolved. */
export class CommandAmbiguousError extends KnownError {}

/** The CLI would not know this command, or (as newer releases do) pass it to the model as plain words. */
export class CommandNotFoundError extends KnownError {}

/**
 * A prompt as it must be sent. Plugin commands are namespaced, and a bare `/plan` is unknown to the CLI: it is resolved
 * to the one command that it can mean, before anything is sent.
 */
export function resolvePrompt(prompt: string, offered: readonly OfferedCommand[]): string {
  const match = /^\/([\w-]+(?::[\w-]+)?)(?=\s|$)/.exec(prompt);
  if (match === null) return prompt;
  const [whole, name = ''] = match;
  return `/${resolveCommand(name, offered)}${prompt.slice(whole.length)}`;
}

/** The full name of a command, or an error that says what there is. */
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
      hint: 'Give the command with its namespace.',
    });
  }
  const plugins = offered.filter((command) => command.name.includes(':')).map((found) => `/${found.name}`);
  throw new CommandNotFoundError(`The session has no command /${bare}.`, {
    hint: `Commands of plugins: ${plugins.join(', ') || 'none'}.`,
  });
}
