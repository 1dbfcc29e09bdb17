import { createHash } from 'node:crypto';
import type { Invocation } from '../../../domain/agent-script.js';

/** Returns the hash by which the stand-ins name a prompt. */
export function hashPrompt(text: string): string {
  return createHash('sha256').update(text.trim()).digest('hex');
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
    invocations.map(({ promptSha256 = '', promptBytes }) => [promptSha256, promptBytes] as const),
  );
  return prompts.map((logged) => {
    if (sent.has(hashPrompt(logged.prompt))) return logged;
    const bytes = Buffer.from(logged.prompt);
    const beginnings = [...sent].map(([hash, length]) => ({ hash, text: bytes.toString('utf8', 0, length) }));
    const genuine = beginnings.find(({ hash, text }) => hashPrompt(text) === hash);
    return genuine === undefined ? logged : { ...logged, prompt: genuine.text.trim() };
  });
}
