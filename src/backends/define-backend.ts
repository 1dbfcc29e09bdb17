import { BACKEND_FACTS, type BackendId } from '../domain/backends.js';
import { KnownError } from '../domain/common/known-error.js';
import type { Backend } from './backend.js';

/** What most CLIs have in common; a folder says only what differs. */
type Usual = Pick<
  Backend,
  'ralphBackend' | 'versionArgs' | 'accountVariables' | 'sandbox' | 'obstacle' | 'modelArgs' | 'tools'
>;

type Registered = 'id' | 'title' | 'command';

/** Makes a backend of its line in the registry and of what its folder says. */
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
        hint: 'Leave --model out, or name backends that have one.',
      });
    },
    tools: {},
  };
}
