import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../domain/common/message-of.js';
import { CommandError, inContext } from '../failure.js';
import { faulty } from '../faults.js';
import type { Log } from '../log.js';
import { isRecord } from '../record.js';
import { readTextFile } from '../store/files.js';
import { type RalphConfig, readConfig } from './config.js';
import { resolveHatImports } from './hat-imports.js';
import { mergeMaps, type YamlMap } from './reader.js';

const TARGET = 'ralph::preflight';
/** The keys of a hat collection, and those used from its event loop. */
const HATS_KEYS = ['hats', 'events', 'event_loop', 'name', 'description'];
const HATS_LOOP_KEYS = ['completion_promise', 'starting_event', 'cancellation_promise'];

/** Describes the sources of the configuration. */
export function describeSources(sources: readonly string[], hats: string | undefined): string {
  const file = sources.find((source) => !isOverride(source));
  const primary = file ?? defaultFile();
  const user = findUserFile();
  const missing = file === undefined && !existsSync(primary);
  const core = user === undefined ? primary : `${user} + ${missing ? 'defaults' : primary}`;
  return hats === undefined ? core : `${core} + hats:${hats}`;
}

/** Builds the configuration in layers: defaults, the user's own file, the primary file, hats, `core.x=y`. */
export async function loadConfig(
  sources: readonly string[],
  hatsSource: string | undefined,
  log: Log,
): Promise<RalphConfig> {
  const overrides = sources.filter(isOverride);
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
  if (source !== undefined && /^https?:/.test(source)) {
    throw new CommandError(
      `The stand-in ralph reads configurations only from files; found '${source}'. Pass the path of a file to -c, or use a real ralph.`,
    );
  }
  const primary = source ?? defaultFile();
  const user = findUserFile();
  const layers: YamlMap[] = [];
  const labels: string[] = [];
  if (user !== undefined) {
    layers.push(await parseYaml(user));
    labels.push(user);
  }
  if (existsSync(primary)) {
    layers.push(await parseYaml(primary));
  } else {
    log.warn(TARGET, `Config file ${JSON.stringify(primary)} not found, using defaults`);
  }
  labels.push(primary);
  return { merged: layers.reduce(mergeMaps, {}), label: labels.join(' + ') };
}

function isOverride(source: string): boolean {
  return source.startsWith('core.') && source.includes('=');
}

function defaultFile(): string {
  return process.env.RALPH_CONFIG ?? 'ralph.yml';
}

/** The user's own file is the lowest layer of every configuration. */
function findUserFile(): string | undefined {
  const path = join(process.env.HOME ?? '', '.ralph', 'config.yml');
  return process.env.HOME !== undefined && existsSync(path) ? path : undefined;
}

async function loadHats(source: string): Promise<YamlMap> {
  if (source.startsWith('builtin:') || /^https?:/.test(source)) {
    throw new CommandError(
      `The stand-in ralph reads hat collections only from files; found '${source}'. Pass the path of a file to -H, or use a real ralph.`,
    );
  }
  if (!existsSync(source)) throw new CommandError(`Hats file not found: ${source}`);
  return parseYaml(source, 'Hats');
}

function mergeHats(core: YamlMap, overlay: YamlMap, source: string, log: Log): YamlMap {
  const ignored = Object.keys(overlay).filter((key) => !HATS_KEYS.includes(key));
  if (ignored.length > 0 && overlay.hats === undefined && overlay.events === undefined) {
    throw new CommandError(
      `Hats config '${source}' contains non-hats keys: ${ignored.join(', ')}\n\nOnly these belong into it: ${HATS_KEYS.join(', ')}. Everything else goes into -c.`,
    );
  }
  if (ignored.length > 0)
    log.warn(
      TARGET,
      `Hats source '${source}' contains core/runtime keys [${ignored.join(', ')}]; they are left out`,
    );
  const brought = isRecord(overlay.event_loop) && !faulty('ignore-hats-file-loop');
  const loop = brought && isRecord(overlay.event_loop) ? overlay.event_loop : {};
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
  else log.warn('ralph', `Unknown core field '${key}'. Known fields: scratchpad, specs_dir`);
}

async function parseYaml(path: string, kind = 'Core'): Promise<YamlMap> {
  const { parse } = await import('yaml');
  const text = inContext(`Failed to load config from ${path}`, () => readTextFile(path)) ?? '';
  let value: unknown;
  try {
    value = parse(text, { prettyErrors: false });
  } catch (error) {
    throw new CommandError(`Failed to parse YAML from ${path}`, messageOf(error));
  }
  if (!isRecord(value)) throw new CommandError(`${kind} config '${path}' must be a YAML mapping`);
  if ('project' in value) {
    throw new CommandError(
      "Invalid config key 'project'. Use 'core' instead (e.g. 'core.specs_dir' instead of 'project.specs_dir').\nSee: docs/guide/configuration.md",
    );
  }
  return resolveHatImports(value, path, (text) => parse(text, { prettyErrors: false }));
}
