import { expect, test } from 'vitest';
import { onAnyPrompt } from '../../../../src/agent/builder.js';
import { makeStage, STREAM } from '../../support/stand-in-cli.js';

const ALLOWED = '--allow-dangerously-skip-permissions';
const settings = (permissions: object) => ['--settings', JSON.stringify({ permissions })];

// As Claude Code 2.1.325 answers.
test.each([
  ['bypassPermissions', [], { error_code: 'bypass_not_launched' }],
  ['bypassPermissions', [ALLOWED], { response: { mode: 'bypassPermissions' } }],
  [
    'bypassPermissions',
    [ALLOWED, ...settings({ disableBypassPermissionsMode: 'disable' })],
    { error_code: 'bypass_disabled' },
  ],
  [
    'bypassPermissions',
    settings({ defaultMode: 'bypassPermissions' }),
    { response: { mode: 'bypassPermissions' } },
  ],
  ['auto', [], { error: /does not support the permission mode auto\. The scripted lane does/ }],
  ['manual', [], { response: { mode: 'default' } }],
  ['nonsense', [], { error_code: 'invalid_mode' }],
])('the mode %s, asked for in a session with %j', (mode, args, response) => {
  const request = { subtype: 'set_permission_mode', mode };
  const input = `${JSON.stringify({ type: 'control_request', request_id: 'c', request })}\n`;
  const stage = makeStage([onAnyPrompt().says('end')]);
  const { events } = stage.run('claude', [...STREAM, '--input-format', 'stream-json', ...args], { input });
  expect(events.find(({ type }) => type === 'control_response')?.response).toMatchObject(response);
});
