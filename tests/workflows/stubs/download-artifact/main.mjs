import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const { STUB_STATE, GITHUB_RUN_ID, INPUT_NAME = '', INPUT_PATTERN = '', INPUT_PATH } = process.env;
const folder = join(STUB_STATE, 'artifacts', GITHUB_RUN_ID);
const names = existsSync(folder) ? readdirSync(folder) : [];
if (INPUT_NAME !== '') {
  if (!names.includes(INPUT_NAME)) throw new Error(`Artifact not found for name: ${INPUT_NAME}`);
  cpSync(join(folder, INPUT_NAME), INPUT_PATH, { recursive: true });
} else {
  mkdirSync(INPUT_PATH, { recursive: true });
  for (const name of names.filter((name) => name.startsWith(INPUT_PATTERN.replace(/\*$/, '')))) {
    cpSync(join(folder, name), join(INPUT_PATH, name), { recursive: true });
  }
}
