import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Backend, Environment, EnvironmentChange } from './backend.js';

/** A key that every service rejects and that nobody mistakes for a leaked one. */
export const REFUSED_KEY = 'ralph-e2e-invalid-key-to-be-refused';

/** A key for our own model server. The server checks none, but CLIs do not start without one. */
export const SCRIPTED_KEY = 'ralph-e2e-scripted-model';

/** Makes an environment without the CLI's login and credential variables; `home` is an empty folder. */
export function removeCredentials(backend: Backend, env: Environment, home: string): Environment {
  const without = backend.credentialVariables.map((name) => [name, undefined]);
  return changeEnvironment(env, { ...backend.privateHome(home), ...Object.fromEntries(without) });
}

/** Makes an environment in which the real CLI starts and its service rejects it; `home` is an empty folder. */
export function refuseCredentials(backend: Backend, env: Environment, home: string): Environment {
  return changeEnvironment(removeCredentials(backend, env, home), backend.refusedCredentials);
}

/** Copies the environment and sets variables, or removes those that are `undefined`. */
function changeEnvironment(env: Environment, change: EnvironmentChange): Environment {
  return Object.fromEntries(
    Object.entries({ ...env, ...change }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Returns the HOME of a child with this environment. */
export function homeOf(env: Environment): string {
  return env.HOME ?? homedir();
}

/** Finds existing files in the user's HOME and on the machine that a live run would inherit. */
export function findInherited(backend: Backend, env: Environment): readonly string[] {
  return backend.inheritedFiles(env).filter((path) => existsSync(path));
}
