import { BACKEND_FACTS, type BackendId } from '../domain/backends.js';
import { KnownError } from '../domain/common/known-error.js';
import type { Backend } from './backend.js';

/** Fields with defaults that fit most CLIs. */
type Usual = Pick<
  Backend,
  | 'ralphBackend'
  | 'versionArgs'
  | 'accountVariables'
  | 'sandbox'
  | 'obstacle'
  | 'modelArgs'
  | 'tools'
  | 'whyNotReplayed'
>;

type Registered = 'id' | 'title' | 'command';

/** Makes a backend from its registry entry and the definition in its folder. */
export function defineBackend(
  id: BackendId,
  own: Omit<Backend, Registered | keyof Usual> & Partial<Usual>,
): Backend {
  const { title, command } = BACKEND_FACTS[id];
  return { ...usual(id), ...own, id, title, command };
}

function usual(id: BackendId): Usual {
  return {
    ralphBackend: id,
    versionArgs: ['--version'],
    accountVariables: [],
    sandbox: {},
    obstacle: () => null,
    modelArgs: (model) => {
      throw new KnownError(`--model ${model}: ${BACKEND_FACTS[id].title} has no option for a model.`, {
        hint: 'Leave out --model, or name only backends that have such an option.',
      });
    },
    tools: {},
    whyNotReplayed: `${BACKEND_FACTS[id].title} does not say in its output what it does.`,
  };
}
