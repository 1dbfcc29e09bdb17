import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BACKENDS } from '../../src/backends/index.js';
import {
  BACKEND_FACTS,
  BACKEND_IDS,
  listedName,
  NAMED_BACKENDS,
  PRIMARY_BACKENDS,
} from '../../src/domain/backends.js';

const code = (text: string) => `\`${text}\``;
const codes = (texts: readonly string[]) => texts.map(code).join(', ');
const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const BACKEND_TABLE = tableOf(
  ['backend', 'command', 'runs with', 'scripted lane configures', 'stand-in imitates'],
  BACKEND_IDS.map((id) => {
    const { command, primary, imitates } = BACKEND_FACTS[id];
    return [listedName(id), code(command), primary ? '`all`' : 'its name', describeScripted(id), imitates];
  }),
);

const LOGIN_TABLE = tableOf(
  ['backend', 'login check', 'variables'],
  BACKEND_IDS.map((id) => {
    const { title, command, probe, credentialVariables } = BACKENDS[id];
    return [title, code([command, ...probe.args].join(' ')), codes(credentialVariables)];
  }),
);

function describeScripted(id: (typeof BACKEND_IDS)[number]): string {
  const { scripted } = BACKENDS[id];
  if (!scripted.possible) return 'not possible';
  return codes(Object.keys(scripted.files('http://127.0.0.1'))) || 'variables';
}

/** `claude`, … or `all` of these; those that run by name. */
const CHOICES = `${PRIMARY_BACKENDS.map((id) => listedName(id, code(id))).join(', ')}, or \`all\` of these (default); by name also ${codes(NAMED_BACKENDS)}.`;

test.each([
  [
    'docs/backends.md',
    'backends: generated from the registry',
    'end of backends',
    `\n\n${BACKEND_TABLE}\n\n`,
  ],
  ['docs/backends.md', 'logins: generated from the registry', 'end of logins', `\n\n${LOGIN_TABLE}\n\n`],
  ['docs/cli.md', 'backends: generated', 'end of backends', CHOICES],
])('%s says what the registry says, between "%s" and "%s" (npm run docs)', (page, begin, end, text) => {
  const path = new URL(`../../${page}`, import.meta.url);
  const before = readFileSync(path, 'utf8');
  const [head, rest] = before.split(`<!-- ${begin} -->`);
  const [, tail] = rest?.split(`<!-- ${end} -->`) ?? [];
  const wanted = `${head}<!-- ${begin} -->${text}<!-- ${end} -->${tail}`;
  if (process.env.UPDATE_DOCS) writeFileSync(path, wanted);
  expect(readFileSync(path, 'utf8')).toBe(wanted);
});
