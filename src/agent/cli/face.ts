import type { Invocation } from '../../domain/agent-script.js';
import type { Action } from '../play.js';

/** What a call of the CLI asks for, as its argument vector says. */
export type Call =
  | {
      readonly kind: 'print';
      readonly text: string;
      readonly exitCode: number;
      readonly stream?: 'stdout' | 'stderr';
    }
  | { readonly kind: 'refuse'; readonly message: string; readonly exitCode: number }
  | { readonly kind: 'prompt'; readonly prompt: string; readonly source: Invocation['promptSource'] };

/** How one CLI shows what its agent does. The last call gives the exit code. */
export interface Voice {
  begin(): void;
  show(action: Action): void;
  end(): number;
}

/** One agent CLI: how it reads its arguments and how it talks. */
export interface Face {
  readonly backend: string;
  interpret(argv: readonly string[], loggedIn: boolean): Call;
  speak(write: Write): Voice;
}

export type Write = (stream: 'stdout' | 'stderr', text: string) => void;
