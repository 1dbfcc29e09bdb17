import { join } from 'node:path';
import { packageRoot } from '../../../exec/files/package-root.js';

/** The plugins that our conversations test. */
export const FIXTURE_PLUGINS = ['agent-loop', 'epti', 'visual-iteration', 'promptctl'] as const;

/** Plugins with one defect each. */
export const BROKEN_PLUGINS = ['broken-manifest', 'broken-hook', 'broken-folder', 'broken-server'] as const;

export type FixturePlugin = (typeof FIXTURE_PLUGINS)[number] | (typeof BROKEN_PLUGINS)[number];

/** Returns the folder with the example plugins, which is also a marketplace. */
export function fixtureMarketplace(): string {
  return join(packageRoot(), 'dist', 'plugins');
}

/** Returns the folder of one example plugin, in a checkout or in the installed package. */
export function fixturePluginFolder(name: FixturePlugin): string {
  return join(fixtureMarketplace(), name);
}
