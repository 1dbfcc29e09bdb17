import type { ConfigReader } from './reader.js';

interface AdapterConfig {
  readonly enabled: boolean;
  /** Seconds without output after which a backend counts as hung. */
  readonly timeout: number;
}

/** The settings of adapters, by their names. */
export type Adapters = Readonly<Record<string, AdapterConfig>>;

/** Adapters with their own settings; every other backend uses claude's. */
const ADAPTERS = ['claude', 'gemini', 'kiro', 'codex', 'amp'] as const;
const DEFAULTS: AdapterConfig = { enabled: true, timeout: 300 };

/** Finds the settings of a backend's adapter, or claude's if it has none. */
export function findAdapter(adapters: Adapters, backend: string): AdapterConfig {
  return adapters[backend] ?? adapters.claude ?? DEFAULTS;
}

/** Reads the section `adapters`. */
export function readAdapters(section: ConfigReader): Adapters {
  const entries = ADAPTERS.map((name) => {
    const adapter = section.section(name);
    const enabled = adapter.flag('enabled') ?? DEFAULTS.enabled;
    return [name, { enabled, timeout: adapter.count('timeout') ?? DEFAULTS.timeout }] as const;
  });
  return Object.fromEntries(entries);
}
