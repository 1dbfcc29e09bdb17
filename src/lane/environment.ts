import { delimiter, dirname, join } from 'node:path';
import {
  BACKENDS,
  type Backend,
  type Environment,
  removeCredentials,
  standInFolder,
} from '../backends/index.js';
import { LANE_TRAITS, type Lane } from '../domain/vocabulary.js';
import { buildEnvironment } from '../exec/environment.js';
import { putFile } from '../exec/files/make-folder.js';

export interface LaneEnvironmentOptions {
  readonly lane: Lane;
  readonly base: Readonly<Record<string, string | undefined>>;
  /** Names that the user passes through with --env. */
  readonly pass: readonly string[];
}

/** Builds the environment of everything that a lane starts; an attempt adds its own variables. */
export function laneEnvironment({ lane, base, pass }: LaneEnvironmentOptions): Environment {
  const { asUser, standIns } = LANE_TRAITS[lane];
  const allow = asUser ? Object.values(BACKENDS).flatMap(accountVariables) : [];
  if (!standIns) return buildEnvironment({ base, allow, pass });
  const extra = { PATH: standInPath(base.PATH) };
  return buildEnvironment({ base: withoutCertificates(base, pass), allow, pass, extra });
}

/** Drops extra certificates. Node reads them at each start, which takes longer than a stand-in needs for its work. */
function withoutCertificates(
  { NODE_EXTRA_CA_CERTS, ...base }: LaneEnvironmentOptions['base'],
  pass: readonly string[],
): LaneEnvironmentOptions['base'] {
  return pass.includes('NODE_EXTRA_CA_CERTS') ? { NODE_EXTRA_CA_CERTS, ...base } : base;
}

/** Adds the variables of an attempt in the sim lane: a private home, and the script that the stand-ins play. */
export function simAttempt(
  env: Environment,
  home: string,
  agent: { script: string; log: string },
): Environment {
  return {
    ...privateEnvironment(env, home),
    RALPH_E2E_AGENT_SCRIPT: agent.script,
    RALPH_E2E_AGENT_LOG: agent.log,
  };
}

/** Adds the variables of an attempt in the scripted lane: a home for the real CLIs, and their model server. */
export function scriptedAttempt(
  backends: readonly Backend[],
  env: Environment,
  home: string,
  url: string,
): Environment {
  const direct = Object.entries(privateEnvironment(env, home));
  const pointed = backends.flatMap(({ id, scripted }) => {
    if (!scripted.possible) throw new Error(`${id} in the scripted lane: it is never ready there`);
    for (const [path, text] of Object.entries(scripted.files(url))) putFile(join(home, path), text);
    return Object.entries(scripted.environment(url));
  });
  return Object.fromEntries([...direct, ...pointed]);
}

/** Replaces the home by one without logins, and removes the credentials of every backend. */
export function privateEnvironment(env: Environment, home: string): Environment {
  // The address of a proxy often contains a password, and an offline agent has no use for a proxy.
  const direct = Object.fromEntries(Object.entries(env).filter(([name]) => !/^\w+_proxy$/i.test(name)));
  const withoutAccounts = Object.values(BACKENDS).reduce<Environment>(
    (rest, backend) => removeCredentials(backend, rest, home),
    direct,
  );
  return {
    ...withoutAccounts,
    ...Object.fromEntries(Object.values(BACKENDS).flatMap(({ sandbox }) => Object.entries(sandbox))),
    // Python reuses a .pyc if the source's mtime (in seconds) and size are unchanged. Scripted agents change a file and
    // run its tests within a second, and would see the tests of the old text pass.
    PYTHONDONTWRITEBYTECODE: '1',
    ...homeVariables(home),
  };
}

/** The variables that say where a home is. */
export function homeVariables(home: string): Environment {
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
  };
}

/** Builds an environment in which a backend cannot be ready, to test the readiness check. */
export function unreadyEnvironment(
  backend: Backend,
  env: Environment,
  home: string,
  how: 'without-credentials' | 'without-executable',
): Environment {
  switch (how) {
    case 'without-credentials':
      // Stand-ins have no accounts. This makes them answer as if logged out.
      return { ...removeCredentials(backend, env, home), RALPH_E2E_AGENT_LOGIN: 'absent' };
    case 'without-executable':
      return { ...env, PATH: join(home, 'no-programs-here') };
  }
}

function accountVariables(backend: Backend): readonly string[] {
  return [...backend.credentialVariables, ...backend.accountVariables];
}

/** Puts our stand-ins first, and adds Node, which they need, in case it is not on PATH. */
function standInPath(path: string | undefined): string {
  return [standInFolder(), path ?? '', dirname(process.execPath)]
    .filter((part) => part !== '')
    .join(delimiter);
}
