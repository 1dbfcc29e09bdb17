import type { Failure } from '../../domain/agent-script.js';
import { type Action, play, type ToolUse } from '../engine/play.js';
import { randomUUID } from '../engine/random-id.js';
import { toFault } from '../server/faults.js';
import { readPromptArgument } from './prompt-argument.js';
import type { FoundResponse, Question, Responder } from './responder.js';
import { hang, type StandIn } from './run-stand-in.js';
import type { Surroundings, Write } from './surroundings.js';

/** What the arguments ask the CLI to do. */
export type CliCall =
  | {
      readonly kind: 'print';
      readonly text: string;
      readonly exitCode: number;
      readonly stream: 'stdout' | 'stderr';
    }
  | { readonly kind: 'refuse'; readonly message: string; readonly exitCode: number }
  | {
      readonly kind: 'prompt';
      /** The prompt, or the words with which Ralph names the file that has it. */
      readonly argument: string;
      /** The session that the caller names; without one the prompt starts a new conversation. */
      readonly conversation?: string;
      /** The user's earlier prompts in it. */
      readonly earlier?: string;
      readonly model: string | undefined;
      /** The options of the call. */
      readonly given: readonly string[];
      /** Prints the answer. */
      readonly printer: Printer;
    }
  /** A protocol over stdin and stdout. */
  | {
      readonly kind: 'serve';
      readonly serve: (around: Surroundings, responder: Responder) => Promise<number>;
    };

/** A call that only prints something. */
export function print(text: string, exitCode = 0, stream: 'stdout' | 'stderr' = 'stdout'): CliCall {
  return { kind: 'print', text, exitCode, stream };
}

/** A call that the real CLI refuses. */
export function refuse(message: string, exitCode = 1): CliCall {
  return { kind: 'refuse', message, exitCode };
}

/** Prints what the agent does, as one CLI does it. The last call returns the exit code. */
export interface Printer {
  show(action: Action): void;
  end(): number;
}

/** Makes the stand-in of a CLI that answers one prompt from its arguments and exits. */
export function plainStandIn(
  backend: string,
  interpret: (around: Surroundings, loggedIn: boolean) => CliCall | Promise<CliCall>,
): StandIn {
  return {
    backend,
    async run(around, responder) {
      const call = await interpret(around, responder.loggedIn);
      switch (call.kind) {
        case 'print':
          around.write(call.stream, `${call.text}\n`);
          responder.record('not-a-prompt');
          return call.exitCode;
        case 'refuse':
          around.write('stderr', `${call.message}\n`);
          responder.record('refused', call.message);
          return call.exitCode;
        case 'prompt':
          return answer(call, around, responder);
        case 'serve':
          return call.serve(around, responder);
        default:
          return call satisfies never;
      }
    },
  };
}

async function answer(
  call: Extract<CliCall, { kind: 'prompt' }>,
  around: Surroundings,
  responder: Responder,
): Promise<number> {
  const { printer, conversation = randomUUID(), argument, model, earlier, given: flags } = call;
  const question = { ...readPromptArgument(argument), conversation, model, earlier, flags };
  for await (const action of playResponse(responder, question, around.cwd)) {
    printer.show(action);
    if (action.kind === 'hang') await hang();
  }
  return printer.end();
}

/**
 * Plays a response for CLIs that do not print their agent loop in detail. Temporary failures stay invisible, because these
 * CLIs retry silently. A tool's result can trigger another response, which then takes over.
 */
export async function* playResponse(
  responder: Responder,
  question: Question,
  cwd: string,
): AsyncGenerator<Action, FoundResponse['response']> {
  let found: FoundResponse | null = await responder.ask(question);
  for (;;) {
    const { failure: _, ...healthy } = found.response;
    const response: FoundResponse['response'] =
      found.response.failTimes === undefined ? found.response : healthy;
    let next: FoundResponse | null = null;
    for await (const action of play(response, { ...found, cwd })) {
      if (action.kind === 'failure' && action.failure.type === 'crash') {
        process.kill(process.pid, action.failure.signal ?? 'SIGKILL');
      }
      yield action;
      next = action.kind === 'tool' ? await responder.askAfterTool(question, action.result) : null;
      if (next !== null) break;
    }
    if (next === null) return response;
    found = next;
  }
}

/** Makes the printer of a CLI that prints plain text: answers and tools on stdout, errors on stderr. */
export function plainPrinter(
  write: Write,
  style: {
    /** How the CLI shows a tool on stdout; null if it does not. */
    readonly describeTool: ((tool: ToolUse) => string) | null;
    readonly describeFailure: (failure: Failure) => string;
  },
): Printer {
  let exitCode = 0;
  return {
    show(action) {
      switch (action.kind) {
        case 'text':
          return write('stdout', `${action.text}\n`);
        case 'tool':
          if (style.describeTool !== null) write('stdout', `${style.describeTool(action.tool)}\n`);
          return;
        case 'failure':
          exitCode = 1;
          return write('stderr', `${style.describeFailure(action.failure)}\n`);
        case 'hang':
          return;
        default:
          action satisfies never;
      }
    },
    end: () => exitCode,
  };
}

/** Describes a failure, for CLIs whose own error text we do not know. */
export function describeFailure(failure: Failure): string {
  return 'message' in failure && failure.message !== undefined ? failure.message : failure.type;
}

/** Describes a failure for CLIs that pass on the status and the message of their service. */
export function describeServiceFailure(failure: Failure): string {
  const fault = toFault(failure);
  return fault.kind === 'refuse' ? `${fault.status} ${fault.message}` : `Connection error (${failure.type})`;
}
