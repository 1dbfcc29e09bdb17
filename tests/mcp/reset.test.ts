import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Harness } from '../../src/mcp/harness.js';
import { removeFolders } from '../../src/mcp/made/made-places.js';
import { environmentTools } from '../../src/mcp/tools/environment.js';
import { covers } from '../coverage/covers.js';
import { tempFolder } from '../support/cli.js';
import { layOut } from './support/harness-client.js';

test.skipIf(process.platform !== 'linux')('a folder that cannot be removed is told', async () => {
  const root = tempFolder();
  layOut(root, { 'a/b.txt': 'b' });
  // Nobody can delete this one, not even root.
  const kept = '/proc/self/fdinfo';
  expect(await removeFolders([join(root, 'a'), join(root, 'never'), kept])).toEqual([kept]);
  expect(existsSync(join(root, 'a'))).toBe(false);
});

test('a reset is clean only if nothing is left', async () => {
  covers('H25');
  const root = tempFolder();
  const harness = await Harness.open({
    ...{ root, isolation: 'host', output: join(root, '.e2e-tests'), catalogue: [], ralph: undefined },
    ...{ model: null, allowedTools: [], program: [], signal: new AbortController().signal },
    ...{ lane: 'sim', executable: null, script: null, env: {}, passEnv: [] },
  });
  onTestFinished(() => harness.close());
  const reset = environmentTools.find(({ name }) => name === 'reset_test_environment');
  const call = () => reset?.call({}, harness, { signal: new AbortController().signal, progress: () => {} });
  expect(await call()).toMatchObject({ status: true, volumes_cleaned: true, left: [] });
  harness.plugins.clear = async () => ['/stuck'];
  expect(await call()).toMatchObject({ status: false, volumes_cleaned: false, left: ['/stuck'] });
});
