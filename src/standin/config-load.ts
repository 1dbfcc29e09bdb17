import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RalphConfig, readConfig } from './config.js';
import { isMap, mergeMaps, type YamlMap } from './config-reader.js';
import { CommandError } from './failure.js';
import type { Log } from './log.js';

const TARGET = 'ralph::preflight';
/** What a hat collection may hold, and what of its event loop is taken. */
const HATS_KEYS = ['hats', 'events', 'event_loop', 'name', 'description'];
const HATS_LOOP_KEYS = ['completion_promise', 'starting_event', 'cancellation_promise'];

/** Builds the configuration in layers: defaults, the user's own file, the primary file, hats, `core.x=y`. */
export async function loadConfig(
  sources: readonly string[],
  hatsSource: string | undefined,
  log: Log,
): Promise<RalphConfig> {
  const overrides = sources.filter((source) => source.startsWith('core.') && source.includes('='));
  const files = sources.filter((source) => !overrides.includes(source));
  if (files.length > 1)
    log.warn(TARGET, 'Multiple config sources specified, using first one. Others ignored.');

  const { merged: core, label } = await loadCore(files[0], log);
  const merged =
    hatsSource === undefined ? core : mergeHats(core, await loadHats(hatsSource), hatsSource, log);
  const config = readConfig(merged, label);
  for (const override of overrides) applyOverride(config, override, log);
  return config;
}

async function loadCore(source: string | undefined, log: Log): Promise<{ merged: YamlMap; label: string }> {
  if (source?.startsWith('builtin:')) {
    const name = source.slice('builtin:'.length);
    throw new CommandError(
      `\`-c ${source}\` is no longer supported.\n\nBuilt-in presets are hat collections. Use:\n  ralph run -c ralph.yml -H builtin:${name}`,
    );
  }
  const primary = source ?? process.env.RALPH_CONFIG ?? 'ralph.yml';
  const user = join(process.env.HOME ?? '', '.ralph', 'config.yml');
  const layers: YamlMap[] = [];
  const labels: string[] = [];
  if (process.env.HOME !== undefined && existsSync(user)) {
    layers.push(await parseYaml(user));
    labels.push(user);
  }
  if (existsSync(primary)) {
    layers.push(await parseYaml(primary));
  } else {
    log.warn(
      TARGET,
      `Config file ${source === undefined ? primary : JSON.stringify(primary)} not found, using defaults`,
    );
  }
  labels.push(primary);
  return { merged: layers.reduce(mergeMaps, {}), label: labels.join(' + ') };
}

async function loadHats(source: string): Promise<YamlMap> {
  if (source.startsWith('builtin:') || /^https?:/.test(source)) {
    throw new CommandError(
      `The stand-in ralph reads hat collections from files only; found '${source}'. Give -H the path of a file, or use a real ralph.`,
    );
  }
  if (!existsSync(source)) throw new CommandError(`Hats file not found: ${source}`);
  return parseYaml(source);
}

function mergeHats(core: YamlMap, overlay: YamlMap, source: string, log: Log): YamlMap {
  const ignored = Object.keys(overlay).filter((key) => !HATS_KEYS.includes(key));
  if (ignored.length > 0 && overlay.hats === undefined && overlay.events === undefined) {
    throw new CommandError(
      `Expected hats or events in the hats file ${source}, found: ${ignored.join(', ')}. Pass a core config with -c.`,
    );
  }
  if (ignored.length > 0) log.warn(TARGET, `Ignoring keys of hats file ${source}: ${ignored.join(', ')}`);
  const loop = isMap(overlay.event_loop) ? overlay.event_loop : {};
  const kept = Object.entries(loop).filter(([key]) => HATS_LOOP_KEYS.includes(key));
  return mergeMaps(
    { ...core, ...(overlay.hats === undefined ? {} : { hats: overlay.hats }) },
    {
      ...(overlay.events === undefined ? {} : { events: overlay.events }),
      event_loop: Object.fromEntries(kept),
    },
  );
}

function applyOverride(config: RalphConfig, override: string, log: Log): void {
  const at = override.indexOf('=');
  const key = override.slice('core.'.length, at);
  const value = override.slice(at + 1);
  if (key === 'scratchpad') config.core.scratchpad = { ...config.core.scratchpad, path: value };
  else if (key === 'specs_dir') config.core.specsDir = value;
  else log.warn(TARGET, `Unknown core field: ${key}`);
}

async function parseYaml(path: string): Promise<YamlMap> {
  const { parse } = await import('yaml');
  let value: unknown;
  try {
    value = parse(readFileSync(path, 'utf8'), { prettyErrors: false });
  } catch (error) {
    throw new CommandError(
      `Failed to parse YAML from ${path}`,
      error instanceof Error ? error.message : String(error),
    );
  }
  if (value === null || value === undefined) return {};
  if (isMap(value)) {
    if ('project' in value) {
      throw new CommandError(
        `Invalid config key 'project' in ${path}. Use the keys of ralph.yml at the top level.`,
      );
    }
    return value;
  }
  throw new CommandError(`Failed to parse YAML from ${path}`, 'expected a mapping at the top level');
}
