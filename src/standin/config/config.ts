import { RALPH_FILES } from '../../domain/evidence/ralph-words.js';
import { CommandError } from '../failure.js';
import { type HooksConfig, readHooks } from '../hooks/config.js';
import { isRecord } from '../record.js';
import { type Adapters, readAdapters } from './adapters.js';
import { ConfigReader, type YamlMap } from './reader.js';
import { listWarnings } from './warnings.js';

/** Whether and where the loop keeps notes between iterations. */
export interface ScratchpadConfig {
  readonly enabled: boolean;
  readonly path: string;
}

/** A backend that one hat uses instead of the global one. */
export type HatBackend =
  | {
      readonly kind: 'named';
      readonly name: string;
      readonly agent?: string;
      readonly args: readonly string[];
    }
  | { readonly kind: 'command'; readonly command: string; readonly args: readonly string[] };

export interface HatConfig {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly triggers: readonly string[];
  readonly publishes: readonly string[];
  readonly instructions: string;
  readonly defaultPublishes: string | undefined;
  readonly maxActivations: number | undefined;
  readonly scratchpad: ScratchpadConfig | undefined;
  readonly disallowedTools: readonly string[];
  readonly concurrency: number;
  /** Whether it collects the results of others. */
  readonly aggregates: boolean;
  readonly backend: HatBackend | undefined;
  readonly backendArgs: readonly string[];
}

/** The part of ralph.yml that the stand-in uses. It ignores unknown keys, as the real Ralph does. */
export interface RalphConfig {
  cli: {
    backend: string;
    command: string | undefined;
    promptMode: string;
    args: readonly string[];
    promptFlag: string | undefined;
    defaultMode: string;
    idleTimeoutSeconds: number;
  };
  eventLoop: {
    prompt: string | undefined;
    promptFile: string;
    completionPromise: string;
    maxIterations: number;
    maxRuntimeSeconds: number;
    maxCostUsd: number | undefined;
    maxConsecutiveFailures: number;
    cooldownDelaySeconds: number;
    startingEvent: string | undefined;
    persistent: boolean;
    requiredEvents: readonly string[];
    mutationScoreWarnThreshold: number | undefined;
    cancellationPromise: string;
    enforceHatScope: boolean;
    contextWindowTokens: number | undefined;
  };
  core: { scratchpad: ScratchpadConfig; specsDir: string; guardrails: readonly string[] };
  /** Sorted by id, the order of the real bus. */
  hats: readonly HatConfig[];
  memories: { enabled: boolean; inject: string; budget: number };
  tasksEnabled: boolean;
  skills: {
    enabled: boolean;
    dirs: readonly string[];
    overrides: Readonly<Record<string, SkillOverride>>;
  };
  hooks: HooksConfig;
  adapters: Adapters;
  /** The order in which `auto` looks for backends; empty means the default. */
  agentPriority: readonly string[];
  parallelLoops: boolean;
  preflight: { enabled: boolean; strict: boolean; skip: readonly string[] };
  robot: { enabled: boolean; timeoutSeconds: number | undefined };
  verbose: boolean;
  suppressWarnings: boolean;
  /** What the real Ralph warns about, in its order. */
  warnings: readonly string[];
}

interface SkillOverride {
  readonly enabled: boolean;
  readonly autoInject: boolean;
  readonly hats: readonly string[];
  readonly backends: readonly string[];
  readonly tags: readonly string[];
}

export const DEFAULT_PROMPT_FILE = 'PROMPT.md';

const GUARDRAILS = [
  'Every iteration starts without history - scratchpad is memory',
  'Search before you conclude that something does not exist',
  'Checks decide: tests, types, lint and audit have to pass',
  'Try what can be run the way a user would, once with input that should fail',
  'Rate your confidence: above 80 go on, from 50 to 80 go on and note it in .ralph/agent/decisions.md, below 50 take the safe way and note it',
  'One logical change a commit, with the reason in its message',
];

/** Turns the merged YAML layers into a configuration; wrong types fail with the real parser's message. */
export function readConfig(merged: YamlMap, label: string): RalphConfig {
  const root = new ConfigReader(
    merged,
    (cause) => new CommandError(`Failed to parse merged core config from ${label}`, cause),
  );
  const cli = root.section('cli');
  const loop = root.section('event_loop');
  const core = root.section('core');
  const memories = root.section('memories');
  const skills = root.section('skills');
  const features = root.section('features');
  const preflight = features.section('preflight');
  const robot = root.section('RObot');
  const hats = readHats(root.section('hats'));

  return {
    // The flat keys of version 1 win over the nested ones.
    cli: {
      backend: root.text('agent') ?? cli.text('backend') ?? 'claude',
      command: cli.text('command'),
      promptMode: cli.text('prompt_mode') ?? 'arg',
      args: cli.list('args') ?? [],
      promptFlag: cli.text('prompt_flag'),
      defaultMode: cli.text('default_mode') ?? 'autonomous',
      idleTimeoutSeconds: cli.count('idle_timeout_secs', 'u32') ?? 30,
    },
    eventLoop: {
      prompt: loop.text('prompt'),
      promptFile: root.text('prompt_file') ?? loop.text('prompt_file') ?? DEFAULT_PROMPT_FILE,
      completionPromise:
        root.text('completion_promise') ?? loop.text('completion_promise') ?? 'LOOP_COMPLETE',
      maxIterations: root.count('max_iterations', 'u32') ?? loop.count('max_iterations', 'u32') ?? 100,
      maxRuntimeSeconds: root.count('max_runtime') ?? loop.count('max_runtime_seconds') ?? 14_400,
      maxCostUsd: root.decimal('max_cost') ?? loop.decimal('max_cost_usd'),
      maxConsecutiveFailures: loop.count('max_consecutive_failures', 'u32') ?? 5,
      cooldownDelaySeconds: loop.count('cooldown_delay_seconds') ?? 0,
      startingEvent: loop.text('starting_event'),
      persistent: loop.flag('persistent') ?? false,
      requiredEvents: loop.list('required_events') ?? [],
      mutationScoreWarnThreshold: loop.decimal('mutation_score_warn_threshold'),
      cancellationPromise: loop.text('cancellation_promise') ?? '',
      enforceHatScope: loop.flag('enforce_hat_scope') ?? false,
      contextWindowTokens: loop.count('context_window_tokens'),
    },
    core: {
      scratchpad: readScratchpad(core) ?? { enabled: true, path: RALPH_FILES.scratchpad },
      specsDir: core.text('specs_dir') ?? '.ralph/specs/',
      guardrails: core.list('guardrails') ?? GUARDRAILS,
    },
    hats,
    memories: {
      enabled: memories.flag('enabled') ?? true,
      inject: memories.choice('inject', ['auto', 'manual', 'none']) ?? 'auto',
      budget: memories.count('budget') ?? 0,
    },
    tasksEnabled: root.section('tasks').flag('enabled') ?? true,
    skills: {
      enabled: skills.flag('enabled') ?? true,
      dirs: skills.list('dirs') ?? [],
      overrides: readSkillOverrides(skills.section('overrides')),
    },
    hooks: readHooks(root.section('hooks')),
    adapters: readAdapters(root.section('adapters')),
    agentPriority: root.list('agent_priority') ?? [],
    parallelLoops: features.flag('parallel') ?? true,
    preflight: {
      enabled: preflight.flag('enabled') ?? false,
      strict: preflight.flag('strict') ?? false,
      skip: preflight.list('skip') ?? [],
    },
    robot: {
      enabled: robot.flag('enabled') ?? false,
      timeoutSeconds: robot.count('timeout_seconds'),
    },
    verbose: root.flag('verbose') ?? false,
    suppressWarnings: root.flag('_suppress_warnings') ?? false,
    warnings: listWarnings(root),
  };
}

function readSkillOverrides(section: ConfigReader): Readonly<Record<string, SkillOverride>> {
  const entries = section.keys().map((name) => {
    const override = section.section(name);
    const enabled = override.flag('enabled') ?? true;
    const autoInject = override.flag('auto_inject') ?? false;
    const [hats, backends, tags] = ['hats', 'backends', 'tags'].map((key) => override.list(key) ?? []);
    return [
      name,
      { enabled, autoInject, hats: hats ?? [], backends: backends ?? [], tags: tags ?? [] },
    ] as const;
  });
  return Object.fromEntries(entries);
}

function readHats(section: ConfigReader): readonly HatConfig[] {
  return section
    .keys()
    .map((id) => readHat(id, section.section(id)))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function readHat(id: string, hat: ConfigReader): HatConfig {
  const extra = hat.list('extra_instructions') ?? [];
  return {
    id,
    name: hat.requiredText('name'),
    description: hat.text('description') ?? '',
    triggers: hat.list('triggers') ?? [],
    publishes: hat.list('publishes') ?? [],
    instructions: extra.reduce(
      (text, part) => `${text}${text.endsWith('\n') ? '' : '\n'}${part}`,
      hat.text('instructions') ?? '',
    ),
    defaultPublishes: hat.text('default_publishes'),
    maxActivations: hat.count('max_activations', 'u32'),
    scratchpad: readScratchpad(hat),
    disallowedTools: hat.list('disallowed_tools') ?? [],
    concurrency: hat.count('concurrency', 'u32') ?? 1,
    aggregates: hat.raw('aggregate') !== undefined,
    backend: readHatBackend(hat),
    backendArgs: hat.list('backend_args') ?? hat.list('args') ?? [],
  };
}

function readScratchpad(section: ConfigReader): ScratchpadConfig | undefined {
  const raw = section.raw('scratchpad');
  if (raw === undefined) return undefined;
  if (typeof raw === 'string') return { enabled: true, path: raw };
  const nested = section.section('scratchpad');
  return { enabled: nested.flag('enabled') ?? true, path: nested.text('path') ?? RALPH_FILES.scratchpad };
}

function readHatBackend(hat: ConfigReader): HatBackend | undefined {
  const raw = hat.raw('backend');
  if (raw === undefined) return undefined;
  if (typeof raw === 'string') return { kind: 'named', name: raw, args: [] };
  if (!isRecord(raw)) return undefined;
  const section = hat.section('backend');
  const args = section.list('args') ?? [];
  const command = section.text('command');
  if (command !== undefined) return { kind: 'command', command, args };
  const agent = section.text('agent');
  return {
    kind: 'named',
    name: section.requiredText('type'),
    args,
    ...(agent === undefined ? {} : { agent }),
  };
}
