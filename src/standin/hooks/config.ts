import { HOOK_PHASES, type HookPhase } from '../../domain/evidence/ralph-words.js';
import type { ConfigReader } from '../config/reader.js';

const ON_ERROR = ['warn', 'block', 'suspend'] as const;
const SUSPEND_MODES = ['wait_for_resume', 'retry_backoff', 'wait_then_retry'] as const;

/** How a loop waits after a hook that suspends it. */
export type SuspendMode = (typeof SUSPEND_MODES)[number];

export interface HookConfig {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly maxOutputBytes: number;
  /** What a failure does; absent if the file is invalid. */
  readonly onError: (typeof ON_ERROR)[number] | undefined;
  readonly suspendMode: SuspendMode;
  /** Whether its stdout is metadata for later hooks. */
  readonly mutates: boolean;
  readonly mutateFormat: string | undefined;
  /** Whether the file sets a mode for this hook itself. */
  readonly ownSuspendMode: boolean;
  /** Fields that Ralph does not know, of the hook and of its `mutate`. */
  readonly unknown: readonly string[];
  readonly unknownMutate: readonly string[];
}

export interface HooksConfig {
  readonly enabled: boolean;
  /** Fields of `hooks` that Ralph does not know. */
  readonly unknown: readonly string[];
  /** The limit in `hooks.defaults` that is zero. */
  readonly zeroDefault: string | undefined;
  readonly events: Readonly<Partial<Record<HookPhase, readonly HookConfig[]>>>;
}

/** Reads the section `hooks`. */
export function readHooks(section: ConfigReader): HooksConfig {
  const defaults = section.section('defaults');
  const events = section.section('events');
  const read = (phase: HookPhase) => events.sections(phase).map((hook) => readHook(hook, defaults));
  events.checkKeys(HOOK_PHASES);
  return {
    enabled: section.flag('enabled') ?? false,
    unknown: section.keys().filter((key) => !['enabled', 'defaults', 'events'].includes(key)),
    zeroDefault: ['timeout_seconds', 'max_output_bytes'].find((key) => defaults.count(key) === 0),
    events: Object.fromEntries(HOOK_PHASES.map((phase) => [phase, read(phase)])),
  };
}

function readHook(hook: ConfigReader, defaults: ConfigReader): HookConfig {
  const env = hook.section('env');
  const mutate = hook.section('mutate');
  return {
    name: hook.text('name') ?? '',
    command: hook.list('command') ?? [],
    cwd: hook.text('cwd'),
    env: Object.fromEntries(env.keys().map((name) => [name, env.requiredText(name)])),
    timeoutSeconds: hook.count('timeout_seconds') ?? defaults.count('timeout_seconds') ?? 30,
    maxOutputBytes: hook.count('max_output_bytes') ?? defaults.count('max_output_bytes') ?? 8192,
    onError: hook.choice('on_error', ON_ERROR),
    suspendMode:
      hook.choice('suspend_mode', SUSPEND_MODES) ??
      defaults.choice('suspend_mode', SUSPEND_MODES) ??
      'wait_for_resume',
    ownSuspendMode: hook.raw('suspend_mode') !== undefined,
    mutates: mutate.flag('enabled') ?? false,
    mutateFormat: mutate.text('format'),
    unknown: hook.keys().filter((key) => !HOOK_FIELDS.includes(key)),
    unknownMutate: mutate.keys().filter((key) => !['enabled', 'format'].includes(key)),
  };
}

const HOOK_FIELDS = [
  'name',
  'command',
  'cwd',
  'env',
  'timeout_seconds',
  'max_output_bytes',
  'on_error',
  'suspend_mode',
  'mutate',
];

/** Finds the first problem with the hooks, in the real Ralph's words. */
export function findHookProblem({ events, unknown, zeroDefault }: HooksConfig): string | undefined {
  const unsupported = findUnsupported('hooks', unknown);
  if (unsupported !== undefined) return unsupported;
  if (zeroDefault !== undefined) return invalid(`hooks.defaults.${zeroDefault}`, 'must be greater than 0');
  for (const phase of HOOK_PHASES) {
    for (const [index, hook] of (events[phase] ?? []).entries()) {
      const base = `hooks.events.${phase}[${index}]`;
      const problem = findFieldProblem(hook);
      if (problem !== undefined) return invalid(`${base}.${problem[0]}`, problem[1]);
      const found = findUnsupported(base, hook.unknown) ?? findMutateProblem(`${base}.mutate`, hook);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const DESIGN = 'See: specs/add-hooks-to-ralph-orchestrator-lifecycle/design.md';

function invalid(field: string, message: string): string {
  return `Hook config validation error at '${field}': ${message}\n${DESIGN}#hookspec-fields-v1`;
}

function unsupported(field: string, reason: string): string {
  return `Unsupported hooks field '${field}' for v1. ${reason}\n${DESIGN}#out-of-scope-v1-non-goals`;
}

function findFieldProblem(hook: HookConfig): readonly [field: string, message: string] | undefined {
  if (hook.name.trim() === '') return ['name', 'is required and must be non-empty'];
  if ((hook.command[0] ?? '').trim() === '')
    return ['command', 'is required and must include an executable at command[0]'];
  if (hook.onError === undefined) return ['on_error', 'is required in v1 (warn | block | suspend)'];
  if (hook.timeoutSeconds === 0) return ['timeout_seconds', 'must be greater than 0 when specified'];
  if (hook.maxOutputBytes === 0) return ['max_output_bytes', 'must be greater than 0 when specified'];
  if (hook.ownSuspendMode && hook.onError !== 'suspend')
    return ['suspend_mode', 'requires on_error: suspend'];
  return undefined;
}

/** Names a field that would promise more than Ralph does. Other unknown fields do no harm. */
function findUnsupported(base: string, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    if (['global', 'globals', 'global_defaults', 'global_hooks', 'scope'].includes(field))
      return unsupported(
        `${base}.${field}`,
        'Use ~/.ralph/config.yml for user-level defaults; per-hook `global`/`scope` fields are not supported in v1',
      );
    if (['parallel', 'parallelism', 'max_parallel', 'concurrency', 'run_in_parallel'].includes(field))
      return unsupported(
        `${base}.${field}`,
        'Parallel hook execution is out of scope for v1; hooks must run sequentially',
      );
  }
  return undefined;
}

const NOT_METADATA = ['prompt', 'prompt_mutation', 'events', 'event', 'config', 'full_context'];

function findMutateProblem(base: string, hook: HookConfig): string | undefined {
  const [field] = hook.unknownMutate;
  if (!hook.mutates) {
    const set = hook.mutateFormat !== undefined || field !== undefined;
    return set ? invalid(base, 'mutation settings require mutate.enabled: true') : undefined;
  }
  if ((hook.mutateFormat ?? 'json').toLowerCase() !== 'json')
    return invalid(`${base}.format`, "only 'json' is supported for v1 mutation payloads");
  if (field === undefined) return undefined;
  const reason = NOT_METADATA.includes(field)
    ? 'v1 allows metadata-only mutation; prompt/event/config mutation is unsupported'
    : field === 'xml'
      ? 'v1 mutation payloads are JSON-only'
      : 'unsupported mutate field in v1 (supported keys: enabled, format)';
  return unsupported(`${base}.${field}`, reason);
}
