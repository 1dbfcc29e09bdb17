import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const { STUB_STATE, INPUT_PATH, INPUT_KEY } = process.env;
const paths = INPUT_PATH.split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '');
const folder = join(
  STUB_STATE,
  'caches',
  createHash('sha256').update(paths.join('\n')).digest('hex').slice(0, 8),
);
mkdirSync(folder, { recursive: true });
const keys = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(join(folder, name, 'about.json'), 'utf8')).key,
);
if (keys.includes(INPUT_KEY)) console.log(`Cache hit occurred on the key ${INPUT_KEY}, not saving cache.`);
else {
  const number = keys.length + 1;
  for (const [index, path] of paths.entries()) {
    const from = resolve(path.replace(/^~/, homedir()));
    if (existsSync(from)) cpSync(from, join(folder, String(number), String(index)), { recursive: true });
  }
  mkdirSync(join(folder, String(number)), { recursive: true });
  writeFileSync(join(folder, String(number), 'about.json'), JSON.stringify({ key: INPUT_KEY, number }));
  console.log(`Cache saved with key: ${INPUT_KEY}`);
}
