import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
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

/** Finds the session that a call names, or starts one. Null if the name is unknown. */
export function chooseSession(
  { env }: Pick<Surroundings, 'env'>,
  named: string | undefined,
): OpencodeSession | null {
  // The real CLI keeps a database here.
  const data = env.XDG_DATA_HOME ?? join(env.HOME ?? homedir(), '.local', 'share');
  const folder = join(data, 'opencode', 'stand-in-sessions');
  const id = named ?? makeId('ses_');
  const path = join(folder, `${id}.jsonl`);
  const exists = existsSync(path);
  if (named !== undefined && !exists) return null;
  const lines = exists ? readFileSync(path, 'utf8').split('\n') : [];
  return {
    id,
    earlier: lines.filter((line) => line !== '').map((line) => String(JSON.parse(line))),
    remember(prompt) {
      makeFolderSync(folder);
      appendFileSync(path, `${JSON.stringify(prompt)}\n`);
    },
  };
}
