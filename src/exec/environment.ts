/** What the environment of a target is made of. */
export interface EnvironmentOptions {
  /** Where inherited values come from, usually process.env. */
  readonly base: Readonly<Record<string, string | undefined>>;
  /** More names to inherit, e.g. the credential variables of a backend. `*` at the end stands for any ending. */
  readonly allow?: readonly string[];
  /** Names that the user passes on with `--env NAME`. They are inherited even if we would scrub them. */
  readonly pass?: readonly string[];
  /** Variables to set; they win over everything inherited. */
  readonly extra?: Readonly<Record<string, string>>;
}

/** What any program needs to work on this machine and that tells it nothing about the project around it. */
const INHERITED =
  `
  PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_* TZ TERM TMPDIR
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
  SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS CURL_CA_BUNDLE REQUESTS_CA_BUNDLE
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
`.match(/\S+/g) ?? [];

/**
 * Variables by which an outer session (a ralph loop, a git hook, an agent) would change what the target does. They
 * stay out even when an allowed pattern such as `CLAUDE_CODE_*` covers them.
 */
const SCRUBBED =
  `
  RALPH_* RUST_BACKTRACE RUST_LOG GIT_* NODE_OPTIONS
  CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_SSE_PORT CLAUDE_CODE_SESSION_ID CLAUDE_CODE_CHILD_SESSION
`.match(/\S+/g) ?? [];

/** Builds the complete environment of a target by allow-list. */
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

const CREDENTIAL_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH(?!OR)|COOKIE/i;
const NOT_A_CREDENTIAL = /^(SSH_AUTH_SOCK|XAUTHORITY|.*_(FILE|PATH|DIR|SOCK))$/i;

/** Whether a variable of this name holds a credential. */
function isCredentialName(name: string): boolean {
  return CREDENTIAL_NAME.test(name) && !NOT_A_CREDENTIAL.test(name);
}

/** The values of variables whose names say that they hold a credential: what redaction must look for. */
export function credentialValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value && isCredentialName(name) ? [value] : [],
  );
  return [...new Set(values)];
}

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}
