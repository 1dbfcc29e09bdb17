import { join } from 'node:path';

/** The folder that Claude Code 2.1.325 gives a plugin for its data. `id` is `name@marketplace`. */
export function pluginDataFolder(config: string, id: string): string {
  return join(config, 'plugins', 'data', id.replace(/[^\w-]/g, '-'));
}
