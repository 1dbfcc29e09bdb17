import { StringDecoder } from 'node:string_decoder';
import type { ChalkInstance } from 'chalk';
import { type BackendId, executionKey, testLabel } from '../../domain/vocabulary.js';
import { oneLine } from '../text/safe-text.js';
import { readAgentLine } from './agent-lines.js';
import { wrapTo } from './layout.js';

/** A running test whose output is shown. */
export interface FollowedTest {
  readonly scenarioId: string;
  readonly backend: BackendId;
}

/** Shows what running tests print, a prefixed line each. */
export interface Follower {
  readonly onOutput: (test: FollowedTest, chunk: Buffer) => void;
  /** Shows what is left of a test that has ended. */
  readonly end: (test: FollowedTest) => void;
}

interface Style {
  readonly chalk: ChalkInstance;
  readonly columns: () => number;
  readonly write: (lines: readonly string[]) => void;
}

/** A test prints at most so many lines: a flood would hide the others. */
const MOST_LINES = 1_000;
/** Longer lines are cut as they arrive. */
const MOST_CHARACTERS = 200_000;
const NAME = { most: 28 } as const;

/** Creates a follower. Everything that a test prints is made harmless first. */
export function createFollower({ chalk, columns, write }: Style): Follower {
  const tests = new Map<string, { decoder: StringDecoder; partial: string; lines: number }>();

  const show = (test: FollowedTest, line: string): void => {
    const state = stateOf(test);
    const name = oneLine(testLabel(test.scenarioId, test.backend), NAME.most);
    const prefix = chalk.dim(`${name} │ `);
    for (const text of readAgentLine(line)) {
      state.lines += 1;
      if (state.lines > MOST_LINES) return;
      const place = { columns: Math.max(40, columns() - name.length - 3), indent: 0 };
      const shown = state.lines === MOST_LINES ? ['… the rest is not shown'] : wrapTo(3, text, place);
      write(shown.map((part) => `${prefix}${part}`));
    }
  };
  const stateOf = (test: FollowedTest) => {
    const key = executionKey(test.scenarioId, test.backend);
    const state = tests.get(key) ?? { decoder: new StringDecoder('utf8'), partial: '', lines: 0 };
    tests.set(key, state);
    return state;
  };

  return {
    onOutput: (test, chunk) => {
      const state = stateOf(test);
      const lines = `${state.partial}${state.decoder.write(chunk)}`.split('\n');
      state.partial = (lines.pop() ?? '').slice(0, MOST_CHARACTERS);
      for (const line of lines) show(test, line);
    },
    end: (test) => {
      const key = executionKey(test.scenarioId, test.backend);
      const state = tests.get(key);
      if (state === undefined) return;
      if (state.partial !== '') show(test, state.partial);
      tests.delete(key);
    },
  };
}
