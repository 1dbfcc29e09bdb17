import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LOGIN_FILES, readLoginValues } from '../../src/backends/index.js';
import { tempFolder } from '../support/cli.js';

test('finds what the login files of the CLIs hold, and nothing that is not secret', async () => {
  const HOME = tempFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(HOME, path, '..'), { recursive: true });
    writeFileSync(join(HOME, path), text);
  };
  write('.claude/.credentials.json', '{"claudeAiOauth":{"accessToken":"claude-access-0001","expiresAt":17}}');
  write(
    '.claude.json',
    '{"primaryApiKey": "claude-primary-02", "apiKeyHelper":"/home/a/bin/helper-12345", "tipsHistory":{"a":1}}',
  );
  write(
    '.codex/auth.json',
    '{"tokens":{"refresh_token":"codex-refresh-0003"},"auth_mode":"chatgpt-account-9"}',
  );
  write('.local/share/opencode/auth.json', '{"anthropic":{"type":"oauth","refresh":"open-refresh-00004"}}');
  write('.local/share/kiro-cli/data.sqlite3', '\0\x05{"access_token":"kiro-access-token-5"}\0more');
  const values = await readLoginValues(LOGIN_FILES, { HOME });
  expect(values.toSorted()).toEqual([
    'claude-access-0001',
    'claude-primary-02',
    'codex-refresh-0003',
    'kiro-access-token-5',
    'open-refresh-00004',
  ]);
  // A CLI renews its login while tests run.
  write('.codex/auth.json', '{"tokens":{"refresh_token":"codex-refresh-0006"}}');
  utimesSync(join(HOME, '.codex/auth.json'), 1, 1);
  expect(await readLoginValues(LOGIN_FILES, { HOME })).toContain('codex-refresh-0006');
});

test('a home without logins has none', async () => {
  expect(await readLoginValues(LOGIN_FILES, { HOME: tempFolder() })).toEqual([]);
});
