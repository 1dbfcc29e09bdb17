import type { ConfigReader } from '../config/reader.js';

/** Phases of a loop at which the user's commands run. */
export const HOOK_PHASES = [
  'pre.loop.start',
  'post.loop.start',
  'pre.iteration.start',
  'post.iteration.start',
  'pre.plan.created',
  'post.plan.created',
  'pre.human.interact',
  'post.human.interact',
  'pre.loop.complete',
  'post.loop.complete',
  'pre.loop.error',
  'post.loop.error',
] as const;

export type HookPhase = (typeof HOOK_PHASES)[number];

const ON_ERROR = ['warn', 'block', 'suspend'] as const;

export interface HookConfig {
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly maxOutputBytes: number;
  /** What a failure does; absent if the file is invalid. */
  readonly onError: (typeof ON_ERROR)[number] | undefined;
  /** Whether its stdout is metadata for later hooks. */
  readonly mutates: boolean;
  readonly mutateFormat: string | undefined;
}

export interface HooksConfig {
  readonly enabled: boolean;
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
    mutates: mutate.flag('enabled') ?? false,
    mutateFormat: mutate.text('format'),
  };
}

/** Finds the first problem with the hooks, in the real Ralph's words. */
export function findHookProblem({ events }: HooksConfig): string | undefined {
  for (const phase of HOOK_PHASES) {
    for (const [index, hook] of (events[phase] ?? []).entries()) {
      const problem = findFieldProblem(hook);
      if (problem !== undefined) {
        return `Hook config validation error at 'hooks.events.${phase}[${index}].${problem[0]}': ${problem[1]}\nSee: specs/add-hooks-to-ralph-orchestrator-lifecycle/design.md#hookspec-fields-v1`;
      }
    }
  }
  return undefined;
}

function findFieldProblem(hook: HookConfig): readonly [field: string, message: string] | undefined {
  if (hook.name.trim() === '') return ['name', 'is required and must be non-empty'];
  if ((hook.command[0] ?? '').trim() === '')
    return ['command', 'is required and must include an executable at command[0]'];
  if (hook.onError === undefined) return ['on_error', 'is required in v1 (warn | block | suspend)'];
  if (hook.timeoutSeconds === 0) return ['timeout_seconds', 'must be greater than 0 when specified'];
  if (hook.maxOutputBytes === 0) return ['max_output_bytes', 'must be greater than 0 when specified'];
  if (!hook.mutates && hook.mutateFormat !== undefined)
    return ['mutate', 'mutation settings require mutate.enabled: true'];
  if ((hook.mutateFormat ?? 'json').toLowerCase() !== 'json')
    return ['mutate.format', "only 'json' is supported for v1 mutation payloads"];
  return undefined;
}
