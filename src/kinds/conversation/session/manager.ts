import { KnownError } from '../../../domain/common/known-error.js';
import { ManagedSession, type ManagedSessionOptions, type TurnExchange } from './managed-session.js';

/** There is no conversation of this id. */
export class SessionNotFoundError extends KnownError {}

/** There is no answer of this id. */
export class ResponseNotFoundError extends KnownError {}

/** There is no execution of this id. */
export class ExecutionNotFoundError extends KnownError {}

/** The conversations that are held, and those that are over: several at once, each for itself. */
export class SessionManager {
  readonly #sessions = new Map<string, ManagedSession>();

  async start(options: ManagedSessionOptions): Promise<ManagedSession> {
    const session = await ManagedSession.start(options);
    this.#sessions.set(session.id, session);
    return session;
  }

  get all(): readonly ManagedSession[] {
    return [...this.#sessions.values()];
  }

  /** Those that are not over. */
  get open(): readonly ManagedSession[] {
    return this.all.filter(({ endedAt }) => endedAt === null);
  }

  get(id: string): ManagedSession {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    const open = this.open.map((known) => known.id);
    throw new SessionNotFoundError(`There is no conversation ${JSON.stringify(id.slice(0, 100))}.`, {
      hint: `Start one with start_conversation. Open now: ${open.join(', ') || 'none'}.`,
    });
  }

  findResponse(id: string): { readonly session: ManagedSession; readonly exchange: TurnExchange } {
    const found = this.#find(id);
    if (found !== null) return found;
    throw new ResponseNotFoundError(`There is no response ${JSON.stringify(id.slice(0, 100))}.`, {
      hint: 'send_prompt returns response_id.',
    });
  }

  findExecution(id: string): { readonly session: ManagedSession; readonly exchange: TurnExchange } {
    const found = this.#find(id);
    if (found?.exchange.kind === 'command') return found;
    throw new ExecutionNotFoundError(`There is no execution ${JSON.stringify(id.slice(0, 100))}.`, {
      hint: 'execute_command returns execution_id.',
    });
  }

  /** Ends every conversation; gives the number of those that were open. */
  async endAll(): Promise<number> {
    const { open } = this;
    await Promise.all(open.map((session) => session.end()));
    return open.length;
  }

  /** Forgets the conversations that are over. */
  forgetEnded(): void {
    for (const { id, endedAt } of this.all) if (endedAt !== null) this.#sessions.delete(id);
  }

  #find(id: string): { session: ManagedSession; exchange: TurnExchange } | null {
    for (const session of this.all) {
      const exchange = session.find(id);
      if (exchange !== undefined) return { session, exchange };
    }
    return null;
  }
}
