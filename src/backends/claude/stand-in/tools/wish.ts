import { makeId } from '../../../../agent/engine/random-id.js';
import { readToolInput } from './inputs.js';

/** One tool call that the script asks for. */
export interface Wish {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** The input from the model; the program adds defaults. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** The scripted result that replaces running it. */
  readonly result?: string | undefined;
  /** Set if the scripted result is an error. */
  readonly failed?: boolean;
  /** The input that the tool runs with, whatever a hook says. Set if it comes from a recording. */
  readonly runs?: Readonly<Record<string, unknown>>;
}

/** What a tool call came to. */
export interface ToolUsed {
  /** The text for the model. */
  readonly content: string;
  readonly isError: boolean;
  readonly denial: Denial | null;
}

/** A denied tool call, as the result lists it. */
export interface Denial {
  readonly tool_name: string;
  readonly tool_use_id: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
}

/** Makes a wish, with the defaults that the real program adds to the input. */
export function makeWish(name: string, input: Wish['input'], result?: string): Wish {
  const read = readToolInput(name, input);
  const complete = name === 'Edit' ? { replace_all: false, ...read } : read;
  return {
    id: makeId('toolu_'),
    name,
    input: complete,
    asked: input,
    ...(result === undefined ? {} : { result }),
  };
}
