// An entry belongs to its paths, as in the real action: a cache that was saved for other paths is not found.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const { STUB_STATE, INPUT_PATH, INPUT_KEY } = process.env;
const lines = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const paths = lines(INPUT_PATH);
const folder = join(
  STUB_STATE,
  'caches',
  createHash('sha256').update(paths.join('\n')).digest('hex').slice(0, 8),
);
const entries = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
const found = [INPUT_KEY, ...lines(process.env['INPUT_RESTORE-KEYS'])]
  .flatMap((key) =>
    entries
      .map((entry) => ({ entry, about: JSON.parse(readFileSync(join(entry, 'about.json'), 'utf8')) }))
      .filter(({ about }) => about.key.startsWith(key))
      .sort((a, b) => b.about.number - a.about.number),
  )
  .at(0);
if (found === undefined) console.log(`Cache not found for ${INPUT_KEY}`);
else {
  console.log(`Cache restored from key: ${found.about.key}`);
  for (const [index, path] of paths.entries()) {
    const saved = join(found.entry, String(index));
    if (existsSync(saved)) cpSync(saved, resolve(path.replace(/^~/, homedir())), { recursive: true });
  }
}
