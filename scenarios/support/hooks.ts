import type { Arrangement, RalphConfig } from '../../src/authoring.js';

/** The section `hooks` with this hook at each of these phases. */
export function hooksAt(phases: readonly string[], hook: RalphConfig): RalphConfig {
  return { enabled: true, events: Object.fromEntries(phases.map((phase) => [phase, [hook]])) };
}

/** Replaces the hooks of one phase in ralph.yml. */
export function rehooking(
  phase: string,
  hooks: readonly RalphConfig[],
): (arrangement: Arrangement) => Arrangement {
  return (arrangement) => {
    const { hooks: section, ...config } = arrangement.config;
    const events = { ...Object(Object(section).events), [phase]: hooks };
    return { ...arrangement, config: { ...config, hooks: { ...Object(section), events } } };
  };
}
