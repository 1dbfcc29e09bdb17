import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { makeId } from '../../../agent/engine/random-id.js';
import type { Surroundings } from '../../../agent/face/surroundings.js';
import { makeFolderSync } from '../../../exec/files/make-folder.js';

/** A conversation of the stand-in: what the user said in it before. */
export interface OpencodeSession {
  readonly id: string;
  readonly earlier: readonly string[];
  /** Keeps a prompt for those who go on with the session, whatever comes of it. */
  readonly remember: (prompt: string) => void;
}

type Around = Pick<Surroundings, 'cwd' | 'env'>;

/** The session that a call names, the latest one of its folder, or a new one. Null when there is none of that name. */
export function chooseSession(
  around: Around,
  { named, continues }: { readonly named: string | undefined; readonly continues: boolean },
): OpencodeSession | null {
  const folder = sessionFolder(around);
  if (named !== undefined) return existsSync(join(folder, `${named}.jsonl`)) ? open(around, named) : null;
  return open(around, (continues ? findLatest(around) : null) ?? makeId('ses_'));
}

/** The real one keeps a data base here. */
function sessionFolder({ env }: Around): string {
  const data = env.XDG_DATA_HOME ?? join(env.HOME ?? homedir(), '.local', 'share');
  return join(data, 'opencode', 'stand-in-sessions');
}

function open(around: Around, id: string): OpencodeSession {
  const folder = sessionFolder(around);
  const path = join(folder, `${id}.jsonl`);
  return {
    id,
    earlier: existsSync(path) ? readTexts(path).slice(1) : [],
    remember(prompt) {
      makeFolderSync(folder);
      const texts = existsSync(path) ? [prompt] : [around.cwd, prompt];
      appendFileSync(path, texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
    },
  };
}

function findLatest(around: Around): string | null {
  const folder = sessionFolder(around);
  if (!existsSync(folder)) return null;
  const [latest] = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => readTexts(path)[0] === around.cwd)
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  return latest === undefined ? null : basename(latest, '.jsonl');
}

/** The folder that a session belongs to, and then what the user said. */
function readTexts(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => String(JSON.parse(line)));
}
