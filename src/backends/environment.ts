import { homedir } from 'node:os';
import type { Backend, Environment, EnvironmentChange } from './backend.js';

/** A key that every service refuses and that nobody mistakes for one that leaked. */
export const REFUSED_KEY = 'ralph-e2e-invalid-key-to-be-refused';

/** The key for our own model server, which asks for none: CLIs do not start without one. */
export const SCRIPTED_KEY = 'ralph-e2e-scripted-model';

/** The environment in which the CLI is logged in neither by itself nor by a variable; `home` is an empty folder. */
export function removeCredentials(backend: Backend, env: Environment, home: string): Environment {
  const without = backend.credentialVariables.map((name) => [name, undefined]);
  return changeEnvironment(env, { ...backend.privateHome(home), ...Object.fromEntries(without) });
}

/** The environment in which the real CLI starts and is refused by its service; `home` is an empty folder. */
export function refuseCredentials(backend: Backend, env: Environment, home: string): Environment {
  return changeEnvironment(removeCredentials(backend, env, home), backend.refusedCredentials);
}

/** A copy of the environment with variables set, or removed where the change says `undefined`. */
function changeEnvironment(env: Environment, change: EnvironmentChange): Environment {
  return Object.fromEntries(
    Object.entries({ ...env, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** The HOME that a child with this environment has. */
export function homeOf(env: Environment): string {
  return env.HOME ?? homedir();
}
