import { AgentNotFoundError } from '../session/commands.js';

/** Requires the agent of the call. Claude Code 2.1.325 ignores an unknown one without a word. */
export function requireAgent(args: readonly string[], known: readonly string[]): void {
  const at = args.indexOf('--agent');
  const wanted = at < 0 ? undefined : args[at + 1];
  if (wanted === undefined || known.includes(wanted)) return;
  throw new AgentNotFoundError(`Expected the name of an agent, found ${JSON.stringify(wanted)}.`, {
    hint: `Agents of this session: ${known.join(', ') || 'none'}.`,
  });
}
