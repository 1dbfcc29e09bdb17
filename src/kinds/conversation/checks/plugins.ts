import type { Check } from '../../../domain/check.js';
import { aboutWanted, holds, list, show, type Wanted } from '../../../domain/checks/text.js';
import type { ConversationRecord } from '../../../domain/evidence/conversation.js';
import { checkConversation } from './check-turn.js';

/** The CLI loaded a plugin, and has nothing to complain about it. */
export function pluginLoaded(plugin: string): Check {
  return checkConversation({
    kind: 'pluginLoaded',
    name: `the plugin ${plugin} is loaded without an error`,
    about: { names: [plugin] },
    category: 'EventEmitted',
    judge: ({ init }) => ({
      passed:
        (init?.plugins.some(({ name }) => name === plugin) ?? false) &&
        !errorsOf(init).some((error) => error.includes(plugin)),
      expected: `${plugin} among the plugins, and no error`,
      actual: describePlugins(init),
    }),
  });
}

/** The CLI says of a plugin that it cannot load it, or a part of it, and why. */
export function pluginFailed(reason: Wanted): Check {
  return checkConversation({
    kind: 'pluginFailed',
    name: `the CLI reports a plugin error with ${show(reason)}`,
    about: aboutWanted(reason),
    category: 'EventPayload',
    judge: ({ init }) => ({
      passed: errorsOf(init).some((error) => holds(error, reason)),
      expected: `a plugin error with ${show(reason)}`,
      actual: describePlugins(init),
    }),
  });
}

/** The session offers these commands, with their namespaces. */
export function commandsOffered(...names: readonly string[]): Check {
  return checkConversation({
    kind: 'commandsOffered',
    name: `the session offers ${list(names.map((name) => `/${name}`))}`,
    about: { names },
    category: 'EventEmitted',
    judge: ({ commands }) => {
      const missing = names.filter((name) => !commands.some((command) => command.name === name));
      return {
        passed: missing.length === 0,
        expected: list(names),
        actual:
          missing.length === 0
            ? 'all offered'
            : `missing ${list(missing)}; of plugins there are ${list(commands.map(({ name }) => name).filter((name) => name.includes(':')))}`,
      };
    },
  });
}

/** The session has these agents and skills, with their namespaces. */
export function componentsOffered({
  agents = [],
  skills = [],
}: {
  readonly agents?: readonly string[];
  readonly skills?: readonly string[];
}): Check {
  const wanted = [...agents, ...skills];
  return checkConversation({
    kind: 'componentsOffered',
    name: `the session has ${list(wanted)}`,
    about: { names: wanted },
    category: 'EventEmitted',
    judge: ({ init }) => {
      const missing = [
        ...agents.filter((name) => !(init?.agents.includes(name) ?? false)),
        ...skills.filter((name) => !(init?.skills.includes(name) ?? false)),
      ];
      return {
        passed: missing.length === 0,
        expected: list(wanted),
        actual: missing.length === 0 ? 'all there' : `missing ${list(missing)}`,
      };
    },
  });
}

/** An MCP server is in this state, and if it failed, for this reason; those of plugins are `plugin:<plugin>:<server>`. */
export function mcpServerIs(
  server: string,
  status: string,
  { because }: { readonly because?: Wanted } = {},
): Check {
  const why = because === undefined ? '' : `, because of ${show(because)}`;
  return checkConversation({
    kind: 'mcpServerIs',
    name: `the MCP server ${server} is ${status}${why}`,
    about: { names: [server], ...aboutWanted(because) },
    category: 'EventEmitted',
    judge: ({ init }) => {
      const servers = init?.mcpServers ?? [];
      return {
        passed: servers.some(
          ({ name, status: is, error = '' }) =>
            name.endsWith(server) && is === status && (because === undefined || holds(error, because)),
        ),
        expected: `${server}: ${status}${why}`,
        actual: list(
          servers.map(
            ({ name, status: is, error }) => `${name}: ${is}${error === undefined ? '' : ` (${error})`}`,
          ),
          'no server',
        ),
      };
    },
  });
}

function errorsOf(init: ConversationRecord['init']): string[] {
  return (init?.pluginErrors ?? []).map(({ plugin, type, message }) => `${plugin} ${type}: ${message}`);
}

function describePlugins(init: ConversationRecord['init']): string {
  if (init === null) return 'the CLI said nothing of itself: no turn got as far as the model';
  const loaded = list(init.plugins.map(({ name }) => name));
  return `loaded: ${loaded}; errors: ${list(errorsOf(init))}`;
}
