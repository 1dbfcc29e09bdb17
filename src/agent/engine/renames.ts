import { mapTexts } from '../../domain/common/map-texts.js';
import { compareTexts, type Likeness, renameIn } from '../../domain/recording/alike.js';

/** Knows what a recorded agent's folder and ids are called now. It learns more from each answer of a tool. */
export class Renames {
  readonly #from: string;
  readonly #to: string;
  readonly #renamed: Map<string, string>;

  constructor(options: {
    /** The folder of the recorded agent. */
    readonly from: string;
    /** The folder of this one. */
    readonly to: string;
    readonly renamed: ReadonlyMap<string, string>;
  }) {
    this.#from = options.from;
    this.#to = options.to;
    this.#renamed = new Map(options.renamed);
  }

  /** Renames in every text of a value. */
  apply<Value>(value: Value): Value;
  apply(value: unknown): unknown {
    return mapTexts(value, (text) =>
      renameIn(text, { from: this.#from, to: this.#to, renamed: this.#renamed }),
    );
  }

  /** Compares a recorded answer with the new one. */
  learn(recorded: string, received: string): Likeness {
    const found = compareTexts(
      { text: recorded, workspace: this.#from },
      { text: received, workspace: this.#to },
    );
    if (found.alike) for (const [old, now] of found.renamed) this.#renamed.set(old, now);
    return found;
  }
}
