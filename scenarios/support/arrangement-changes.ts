import type { Arrangement, ConversationArrangement, ScenarioContext } from '../../src/authoring.js';

/* Values for the `config` of a saboteur. Each is the scenario's arrangement with one thing changed. */

type Change<Plan> = (arrangement: Plan) => Plan;

/** Replaces these fields in the arrangement. Pass a function if they depend on the attempt. */
export function arranging<Plan extends Arrangement | ConversationArrangement>(
  fields: NoInfer<Partial<Plan>> | ((context: ScenarioContext) => NoInfer<Partial<Plan>>),
): (arrangement: Plan, context: ScenarioContext) => Plan {
  return (arrangement, context) => ({
    ...arrangement,
    ...(typeof fields === 'function' ? fields(context) : fields),
  });
}

/** Asks about a different word from the one that the checks look for. */
export function anotherWord(arrangement: Arrangement, context: ScenarioContext): Arrangement;
export function anotherWord(
  arrangement: ConversationArrangement,
  context: ScenarioContext,
): ConversationArrangement;
export function anotherWord(
  arrangement: Arrangement | ConversationArrangement,
  { nonce }: ScenarioContext,
): Arrangement | ConversationArrangement {
  const change = (text: string) => text.replaceAll(nonce, 'otherword1');
  return 'turns' in arrangement
    ? {
        ...arrangement,
        turns: arrangement.turns.map((turn) =>
          typeof turn === 'string' ? change(turn) : { ...turn, prompt: change(turn.prompt) },
        ),
      }
    : { ...arrangement, prompt: change(arrangement.prompt) };
}

/** Sets keys in a section of ralph.yml, such as `event_loop`. */
export function configuring(section: string, keys: Readonly<Record<string, unknown>>): Change<Arrangement> {
  return (arrangement) => {
    const { config } = arrangement;
    return { ...arrangement, config: { ...config, [section]: { ...Object(config[section]), ...keys } } };
  };
}

/** Sets keys of one hat in ralph.yml. */
export function changingHat(id: string, keys: Readonly<Record<string, unknown>>): Change<Arrangement> {
  return changingHats(([key, hat]) => [key, key === id ? { ...Object(hat), ...keys } : hat]);
}

/** Changes the ids and keys of all hats in ralph.yml. */
export function changingHats(
  change: (entry: [id: string, hat: unknown]) => [string, unknown],
): Change<Arrangement> {
  return (arrangement) => {
    const hats = Object.entries<unknown>(Object(arrangement.config.hats));
    return { ...arrangement, config: { ...arrangement.config, hats: Object.fromEntries(hats.map(change)) } };
  };
}

/** Replaces the script of a plugin's hook with one that lets everything pass. */
export function withoutHook(plugin: string, file: string): Change<ConversationArrangement> {
  return ({ plugins = [], ...arrangement }) => ({
    ...arrangement,
    plugins: plugins.map((source) =>
      typeof source === 'string' && source.endsWith(`/${plugin}`)
        ? { name: plugin, from: source, files: { [file]: '// Lets everything pass.\n' } }
        : source,
    ),
  });
}
