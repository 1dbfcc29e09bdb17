import { CREDENTIAL_WORDS } from './redact/shapes.js';
import { MIN_VALUE_LENGTH } from './redact/values.js';

/** Where the environment of a target comes from. */
export interface EnvironmentOptions {
  /** Where inherited values come from, usually process.env. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** More names to inherit, such as the credential variables of a backend. A trailing `*` matches any ending. */
  readonly allow?: readonly string[];
  /** Names that the user passes through with `--env NAME`. They are inherited even if we would scrub them. */
  readonly pass?: readonly string[];
  /** Variables to set. They override everything inherited. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** What every program needs to work on this machine, and what says nothing about the surrounding project. */
const INHERITED =
  `
  PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM TMPDIR
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
`.match(/\S+/g) ?? [];

/**
 * Variables with which an outer session (a Ralph loop, a git hook, an agent) would change what the target does. They
 * are dropped even if an allowed pattern such as `CLAUDE_CODE_*` covers them.
 */
const SCRUBBED =
  `
  RALPH_* RUST_BACKTRACE RUST_LOG GIT_* NODE_OPTIONS
  CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_CHILD_SESSION
`.match(/\S+/g) ?? [];

/** Builds the complete environment of a target from an allow list. */
export function buildEnvironment(options: EnvironmentOptions): Record<string, string> {
  const allowed = [...INHERITED, ...(options.allow ?? [])];
  const passed = new Set(options.pass ?? []);
  const inherited = Object.entries(options.base).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined) return false;
    return passed.has(name) || (matchesAny(name, allowed) && !matchesAny(name, SCRUBBED));
  });
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...options.extra };
}

const NOT_A_CREDENTIAL = /^(SSH_AUTH_SOCK|XAUTHORITY|.*_(FILE|PATH|DIR|SOCK))$/i;

/** Whether a variable with this name contains a credential. */
function isCredentialName(name: string): boolean {
  const words = name.toUpperCase().replaceAll('AUTHOR', '');
  return CREDENTIAL_WORDS.some((word) => words.includes(word)) && !NOT_A_CREDENTIAL.test(name);
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Lists the values of variables with the name of a credential, for redaction. */
export function credentialValues(env: Variables): string[] {
  return listValues(env, isCredentialName);
}

/** Lists the values that the user passes with `--env`, for redaction. What every program gets anyway is no secret. */
export function passedValues(env: Variables, passed: readonly string[]): string[] {
  return listValues(env, (name) => isPassed(name, passed));
}

/** Names the credentials in an environment that are too short to be found in a text. */
export function findShortCredentials(env: Variables, passed: readonly string[]): string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    value !== '' && value.length < MIN_VALUE_LENGTH && (isCredentialName(name) || isPassed(name, passed))
      ? [name]
      : [],
  );
}

function listValues(env: Variables, isWanted: (name: string) => boolean): string[] {
  const values = Object.entries(env).flatMap(([name, value]) => (value && isWanted(name) ? [value] : []));
  return [...new Set(values)];
}

function isPassed(name: string, passed: readonly string[]): boolean {
  return passed.includes(name) && !matchesAny(name, INHERITED);
}

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}
