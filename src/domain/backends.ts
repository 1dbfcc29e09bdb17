/** The facts about an agent CLI that any folder may use. The rest is in `src/backends/<id>/`. */
interface BackendFacts {
  /** The name that people read. */
  readonly title: string;
  /** The executable that Ralph starts. */
  readonly command: string;
  /** The version that our stand-in imitates, as the CLI prints it. */
  readonly imitates: string;
  /** Set for the backends that `all`, a call without a backend and a scenario without backends mean. */
  readonly primary?: true;
  /** What nobody has shown yet about tests with this CLI. Lists of backends say it. */
  readonly unproven?: string;
}

/** The agent CLIs that Ralph drives and that we can test with, in the order of reports. */
const REGISTRY = {
  claude: { title: 'Claude', command: 'claude', imitates: '2.1.325 (Claude Code)', primary: true },
  kiro: {
    title: 'Kiro',
    command: 'kiro-cli',
    imitates: '2.0.0',
    primary: true,
    unproven: 'experimental: not tried with a real account',
  },
  opencode: { title: 'OpenCode', command: 'opencode', imitates: '1.18.18', primary: true },
  codex: { title: 'Codex', command: 'codex', imitates: '0.166.0' },
  gemini: { title: 'Gemini', command: 'gemini', imitates: '0.61.0' },
  pi: { title: 'pi', command: 'pi', imitates: '0.73.1' },
} as const satisfies Readonly<Record<string, BackendFacts>>;

/** The id of a backend. */
export type BackendId = keyof typeof REGISTRY;

export const BACKEND_FACTS: Readonly<Record<BackendId, BackendFacts>> = REGISTRY;

/** The ids of all backends. */
export const BACKEND_IDS: readonly BackendId[] = Object.keys(REGISTRY).filter(isBackendId);

/** The backends that are used for `all`, for a call that names no backend, and for a scenario without `backends`. */
export const PRIMARY_BACKENDS: readonly BackendId[] = BACKEND_IDS.filter((id) => BACKEND_FACTS[id].primary);

/** The backends that run only when they are named. */
export const NAMED_BACKENDS: readonly BackendId[] = BACKEND_IDS.filter((id) => !BACKEND_FACTS[id].primary);

/** Returns the name of the executable that Ralph starts for a backend. */
export function commandOf(id: BackendId): string {
  return BACKEND_FACTS[id].command;
}

/** Returns the name of a backend for lists of backends, with what is unproven about it. */
export function listedName(id: BackendId, name: string = BACKEND_FACTS[id].title): string {
  const { unproven } = BACKEND_FACTS[id];
  return unproven === undefined ? name : `${name} (${unproven})`;
}

/** The same in a run or a lane: what is unproven about a real agent CLI does not matter for a stand-in or a script. */
export function nameIn(lane: string, id: BackendId, name: string = BACKEND_FACTS[id].title): string {
  return lane === 'live' ? listedName(id, name) : name;
}

/** Whether a word is the id of a backend. */
export function isBackendId(word: string): word is BackendId {
  return Object.hasOwn(REGISTRY, word);
}
