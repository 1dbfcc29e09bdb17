import type { Failure, Invocation } from '../../domain/agent-script.js';
import { type Action, play, ToolDenied, type ToolUse } from '../engine/play.js';
import { randomUUID } from '../engine/random-id.js';
import type { FoundResponse, Question, Responder } from './responder.js';
import { hang, type StandIn } from './run-stand-in.js';
import type { Surroundings, Write } from './surroundings.js';

/** What the arguments ask the CLI to do. */
export type CliCall =
  | {
      readonly kind: 'print';
      readonly text: string;
      readonly exitCode: number;
      readonly stream?: 'stdout' | 'stderr';
    }
  | { readonly kind: 'refuse'; readonly message: string; readonly exitCode: number }
  | {
      readonly kind: 'prompt';
      readonly prompt: string;
      readonly source: Invocation['promptSource'];
      /** The session that the caller names; without one the prompt starts a new conversation. */
      readonly conversation?: string;
      /** The user's earlier prompts in it. */
      readonly earlier?: string;
      readonly model?: string;
      readonly flags?: readonly string[];
      /** What the CLI prints if the agent wants to use a tool that it may not use. It exits with 1. */
      readonly denial?: string;
      /** Prints the answer. */
      readonly printer: Printer;
    }
  /** A protocol over stdin and stdout. */
  | {
      readonly kind: 'serve';
      readonly serve: (around: Surroundings, responder: Responder) => Promise<number>;
    };

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
          around.write(call.stream ?? 'stdout', `${call.text}\n`);
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
  const { printer, conversation = randomUUID(), prompt, source, model, earlier, flags } = call;
  const question = {
    prompt,
    source,
    conversation,
    model,
    earlier,
    ...(flags === undefined ? {} : { flags }),
  };
  try {
    for await (const action of playResponse(responder, question, around.cwd, call.denial !== undefined)) {
      printer.show(action);
      if (action.kind === 'hang') await hang();
    }
  } catch (error) {
    if (!(error instanceof ToolDenied) || call.denial === undefined) throw error;
    around.write('stderr', `${call.denial}\n`);
    return 1;
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
  untrusted = false,
): AsyncGenerator<Action, FoundResponse['response']> {
  let found: FoundResponse | null = await responder.ask(question);
  for (;;) {
    const { failure: _, ...healthy } = found.response;
    const response: FoundResponse['response'] =
      found.response.failTimes === undefined ? found.response : healthy;
    let next: FoundResponse | null = null;
    for await (const action of play(response, { ...found, cwd, untrusted })) {
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
