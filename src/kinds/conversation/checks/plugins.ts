import type { Check } from '../../../domain/check.js';
import { aboutWanted, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type { ConversationRecord } from '../../../domain/evidence/conversation.js';
import { checkConversation } from './check-turn.js';

/** Checks that the CLI loaded a plugin and reported no error for it. */
export function pluginLoaded(plugin: string): Check {
  return checkConversation('pluginLoaded', 'EventEmitted', {
    name: `plugin ${plugin} loads without errors`,
    about: { names: [plugin] },
    judge: ({ init }) => ({
      passed:
        (init?.plugins.some(({ name }) => name === plugin) ?? false) &&
        !errorsOf(init).some((error) => error.includes(plugin)),
      expected: `${plugin} loaded, and no errors for it`,
      actual: describePlugins(init),
    }),
  });
}

/** Checks that the CLI reported an error for a plugin, or for a part of it, with this reason. */
export function pluginFailed(reason: Wanted): Check {
  return checkConversation('pluginFailed', 'EventPayload', {
    name: `the CLI reports a plugin error with ${show(reason)}`,
    about: aboutWanted(reason),
    judge: ({ init }) => ({
      passed: errorsOf(init).some((error) => holds(error, reason)),
      expected: `a plugin error with ${show(reason)}`,
      actual: describePlugins(init),
    }),
  });
}

/** Checks that the session offers these commands. Names include the plugin, as in `epti:plan`. */
export function commandsOffered(...names: readonly string[]): Check {
  return checkConversation('commandsOffered', 'EventEmitted', {
    name: `the session offers ${list(names.map((name) => `/${name}`))}`,
    about: { names },
    judge: ({ commands }) => {
      const missing = names.filter((name) => !commands.some((command) => command.name === name));
      return {
        passed: missing.length === 0,
        expected: list(names),
        actual:
          missing.length === 0
            ? 'all offered'
            : `missing: ${list(missing)}; commands of plugins: ${list(commands.map(({ name }) => name).filter((name) => name.includes(':')))}`,
      };
    },
  });
}

/** Checks that the session offers these agents and skills. Names include the plugin, as in `epti:tdd-agent`. */
export function componentsOffered({
  agents = [],
  skills = [],
}: {
  /** The agents. */
  readonly agents?: readonly string[];
  /** The skills. */
  readonly skills?: readonly string[];
}): Check {
  const wanted = [...agents, ...skills];
  return checkConversation('componentsOffered', 'EventEmitted', {
    name: `the session offers ${list(wanted)}`,
    about: { names: wanted },
    judge: ({ init }) => {
      const missing = [
        ...agents.filter((name) => !(init?.agents.includes(name) ?? false)),
        ...skills.filter((name) => !(init?.skills.includes(name) ?? false)),
      ];
      return {
        passed: missing.length === 0,
        expected: list(wanted),
        actual: missing.length === 0 ? 'all offered' : `missing: ${list(missing)}`,
      };
    },
  });
}

/**
 * Checks the status of an MCP server. A plugin's server is named `plugin:<plugin>:<server>`; the last part is enough.
 */
export function mcpServerIs(
  server: string,
  status: string,
  {
    because,
  }: {
    /** A text or pattern in the server's error. */
    readonly because?: Wanted;
  } = {},
): Check {
  const why = because === undefined ? '' : ` and error ${show(because)}`;
  return checkConversation('mcpServerIs', 'EventEmitted', {
    name: `MCP server ${server} has status ${status}${why}`,
    about: { names: [server], ...aboutWanted(because) },
    judge: ({ init }) => {
      const servers = init?.mcpServers ?? [];
      return {
        passed: servers.some(
          ({ name, status: is, error = '' }) =>
            name.endsWith(server) && is === status && (because === undefined || holds(error, because)),
        ),
        expected: `${server} with status ${status}${why}`,
        actual: list(
          servers.map(
            ({ name, status: is, error }) => `${name}: ${is}${error === undefined ? '' : ` (${error})`}`,
          ),
          'no servers',
        ),
      };
    },
  });
}

function errorsOf(init: ConversationRecord['init']): string[] {
  return (init?.pluginErrors ?? []).map(({ plugin, type, message }) => `${plugin} ${type}: ${message}`);
}

function describePlugins(init: ConversationRecord['init']): string {
  if (init === null) return 'the CLI did not list its plugins: no turn reached the model';
  const loaded = list(init.plugins.map(({ name }) => name));
  return `loaded: ${loaded}; errors: ${list(errorsOf(init))}`;
}
