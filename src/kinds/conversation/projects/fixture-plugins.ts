import { join } from 'node:path';
import { packageRoot } from '../../../exec/files/package-root.js';

/** The plugins that conversations are tested with. */
export const FIXTURE_PLUGINS = ['agent-loop', 'epti', 'visual-iteration', 'promptctl'] as const;

/** Plugins that are wrong in one way each. */
export const BROKEN_PLUGINS = ['broken-manifest', 'broken-hook', 'broken-folder', 'broken-server'] as const;

export type FixturePlugin = (typeof FIXTURE_PLUGINS)[number] | (typeof BROKEN_PLUGINS)[number];

/** The folder of them all, which is a marketplace too. The build puts it together: one has a server of ours in it. */
export function fixtureMarketplace(): string {
  return join(packageRoot(), 'dist', 'plugins');
}

/** The folder of one of our plugins, in a checkout as in the installed package. */
export function fixturePluginFolder(name: FixturePlugin): string {
  return join(fixtureMarketplace(), name);
}
