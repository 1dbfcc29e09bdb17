import { KnownError } from '../../../domain/common/known-error.js';
import { ManagedSession, type ManagedSessionOptions, type TurnExchange } from './managed-session.js';

/** The error for an unknown conversation id. */
export class SessionNotFoundError extends KnownError {}

/** The error for an unknown response id. */
export class ResponseNotFoundError extends KnownError {}

/** The error for an unknown execution id. */
export class ExecutionNotFoundError extends KnownError {}

/** Keeps the open and the ended conversations. Several can be open at once, independent of each other. */
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

  /** The conversations that have not ended. */
  get open(): readonly ManagedSession[] {
    return this.all.filter(({ endedAt }) => endedAt === null);
  }

  get(id: string): ManagedSession {
    const session = this.#sessions.get(id);
    if (session !== undefined) return session;
    const open = this.open.map((known) => known.id);
    throw new SessionNotFoundError(`There is no conversation ${JSON.stringify(id.slice(0, 100))}.`, {
      hint: `Start one with start_conversation. Open conversations: ${open.join(', ') || 'none'}.`,
    });
  }

  findResponse(id: string): { readonly session: ManagedSession; readonly exchange: TurnExchange } {
    const found = this.#find(id);
    if (found !== null) return found;
    throw new ResponseNotFoundError(`There is no response ${JSON.stringify(id.slice(0, 100))}.`, {
      hint: 'Use the response_id that send_prompt returned.',
    });
  }

  findExecution(id: string): { readonly session: ManagedSession; readonly exchange: TurnExchange } {
    const found = this.#find(id);
    if (found?.exchange.kind === 'command') return found;
    throw new ExecutionNotFoundError(`There is no execution ${JSON.stringify(id.slice(0, 100))}.`, {
      hint: 'Use the execution_id that execute_command returned.',
    });
  }

  /** Ends every conversation and returns how many were open. */
  async endAll(): Promise<number> {
    const { open } = this;
    await Promise.all(open.map((session) => session.end()));
    return open.length;
  }

  /** Forgets the conversations that have ended. */
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
