import type { Invocation } from '../../../domain/agent-script.js';
import { fingerprint } from '../../../domain/text/fingerprint.js';
import type { WorkspaceReader } from '../../../workspace/read-inside.js';

/** A prompt as Ralph logged it: exactly what it sent to the agent. */
export interface LoggedPrompt {
  readonly iteration: number;
  readonly hat: string;
  readonly prompt: string;
  /** The hash of the prompt before credentials were removed. Missing if the log is too large for it. */
  readonly hash?: string;
}

export const PROMPT_LOG = 'prompt-log.md';

/** Reads the prompts of this run from its diagnostics, which Ralph writes with RALPH_DIAGNOSTICS=1. */
export async function readPromptLog(
  folders: readonly string[],
  reader: WorkspaceReader,
  invocations: readonly Invocation[] = [],
): Promise<LoggedPrompt[]> {
  for (const folder of folders) {
    const path = `${folder}/${PROMPT_LOG}`;
    const raw = await reader.readRaw(path, MAX_LOG_BYTES);
    if (raw !== null)
      return Promise.all(
        cutToSent(splitPrompts(raw), invocations).map(async (logged) => ({
          ...logged,
          hash: hashPrompt(logged.prompt),
          prompt: await reader.redact(logged.prompt),
        })),
      );
    const text = await reader.read(path, MAX_LOG_BYTES);
    if (text !== null) return splitPrompts(text);
  }
  return [];
}

/** Returns the first line of a log that has no prompt in it as far as we can read it; null if there is no such log. */
export async function findUnknownLog(
  folders: readonly string[],
  reader: WorkspaceReader,
): Promise<string | null> {
  for (const folder of folders) {
    const text = (await reader.read(`${folder}/${PROMPT_LOG}`, MAX_LOG_BYTES))?.trim();
    if (text === undefined) continue;
    return text === '' || splitPrompts(text).length > 0 ? null : (text.split('\n', 1)[0] ?? '');
  }
  return null;
}

const MAX_LOG_BYTES = 16 * 1024 * 1024;

/**
 * Splits the log at `# Iteration N — hat`. A prompt may contain such a line itself (a scratchpad that quotes the log), so
 * only a line with the next number begins an entry.
 */
export function splitPrompts(text: string): LoggedPrompt[] {
  const heads: { start: number; bodyStart: number; iteration: number; hat: string }[] = [];
  for (const match of text.matchAll(/^# Iteration (\d+) — (.+)$/gm)) {
    const iteration = Number(match[1]);
    const previous = heads.at(-1)?.iteration;
    if (previous !== undefined && iteration !== previous + 1) continue;
    heads.push({
      start: match.index,
      bodyStart: match.index + match[0].length,
      iteration,
      hat: match[2] ?? '',
    });
  }
  return heads.map(({ bodyStart, iteration, hat }, index) => ({
    iteration,
    hat,
    prompt: text
      .slice(bodyStart, heads[index + 1]?.start)
      .replace(/\n\n---\s*$/, '')
      .trim(),
  }));
}

/** Returns what the stand-ins call a prompt. */
export function hashPrompt(text: string): string {
  return fingerprint(text.trim());
}

/**
 * Cuts logged prompts to what the stand-ins were sent. The log has more if another run began in the same second: both
 * write to the same folder, and the log then goes on with the prompts of the other.
 */
export function cutToSent<Logged extends { readonly prompt: string }>(
  prompts: readonly Logged[],
  invocations: readonly Invocation[],
): readonly Logged[] {
  const sent = new Map(
    invocations.map(({ promptHash = '', promptBytes }) => [promptHash, promptBytes] as const),
  );
  return prompts.map((logged) => {
    if (sent.has(hashPrompt(logged.prompt))) return logged;
    const bytes = Buffer.from(logged.prompt);
    const beginnings = [...sent].map(([hash, length]) => ({ hash, text: bytes.toString('utf8', 0, length) }));
    const genuine = beginnings.find(({ hash, text }) => hashPrompt(text) === hash);
    return genuine === undefined ? logged : { ...logged, prompt: genuine.text.trim() };
  });
}
