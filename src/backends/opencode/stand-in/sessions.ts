import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { makeId } from '../../../agent/engine/random-id.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { makeFolderSync } from '../../../exec/files/make-folder.js';

/** A session of the stand-in, with the user's earlier prompts. */
export interface OpencodeSession {
  readonly id: string;
  readonly earlier: readonly string[];
  /** Keeps a prompt for calls that resume the session, whatever its outcome. */
  readonly remember: (prompt: string) => void;
}

type Around = Pick<Surroundings, 'cwd' | 'env'>;

/** Finds the session that a call names, or the latest of its folder, or starts one. Null if the name is unknown. */
export function chooseSession(
  around: Around,
  { named, continues }: { readonly named: string | undefined; readonly continues: boolean },
): OpencodeSession | null {
  const folder = sessionFolder(around);
  if (named !== undefined) return existsSync(join(folder, `${named}.jsonl`)) ? open(around, named) : null;
  return open(around, (continues ? findLatest(around) : null) ?? makeId('ses_'));
}

/** The real CLI keeps a database here. */
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

/** Reads the folder of a session, then the user's prompts. */
function readTexts(path: string): string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => String(JSON.parse(line)));
}
