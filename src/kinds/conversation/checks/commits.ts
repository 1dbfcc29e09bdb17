import picomatch from 'picomatch';
import type { Check } from '../../../domain/check.js';
import {
  aboutWanted,
  countNoun,
  excerpt,
  holds,
  list,
  show,
  type Wanted,
} from '../../../domain/checks/text.js';
import type { CommitRecord } from '../../../domain/evidence/conversation.js';
import { checkConversation } from './check-turn.js';

/** Checks that the agent made exactly this many commits. Commits from before the conversation do not count. */
export function commitsMade(count: number): Check {
  return checkConversation({
    kind: 'commitsMade',
    name: `the agent makes ${countNoun(count, 'commit')}`,
    about: { limit: count },
    category: 'FileCreated',
    judge: ({ commits }) => ({
      passed: commits.length === count,
      expected: countNoun(count, 'commit'),
      actual: describeCommits(commits),
    }),
  });
}

/** Checks the message, the paths or the turn of the agent's Nth commit, counted from 1. */
export function commitIs(
  place: number,
  {
    message,
    touches,
    only,
    turn,
  }: {
    /** A text or pattern in its message. */
    readonly message?: Wanted;
    /** A glob that at least one of its paths must match. */
    readonly touches?: string;
    /** A glob that all its paths must match. */
    readonly only?: string;
    /** The turn in which it was made. */
    readonly turn?: number;
  },
): Check {
  const wanted = [
    ...(message === undefined ? [] : [`says ${show(message)}`]),
    ...(touches === undefined ? [] : [`touches ${touches}`]),
    ...(only === undefined ? [] : [`touches only ${only}`]),
    ...(turn === undefined ? [] : [`is made in turn ${turn}`]),
  ].join(', ');
  const path = touches ?? only;
  return checkConversation({
    kind: 'commitIs',
    name: `commit ${place} ${wanted}`,
    about: {
      ...aboutWanted(message),
      ...(path === undefined ? {} : { path }),
      ...(turn === undefined ? {} : { turn }),
    },
    category: 'FileContains',
    judge: ({ commits }) => {
      const commit = commits[place - 1];
      return {
        passed:
          commit !== undefined &&
          (message === undefined || holds(commit.message, message)) &&
          (touches === undefined || commit.paths.some((path) => matches(path, touches))) &&
          (only === undefined ||
            (commit.paths.length > 0 && commit.paths.every((path) => matches(path, only)))) &&
          (turn === undefined || commit.turn === turn),
        expected: `commit ${place} that ${wanted}`,
        actual: describeCommits(commits),
      };
    },
  });
}

function matches(path: string, glob: string): boolean {
  return picomatch(glob, { dot: true })(path);
}

function describeCommits(commits: readonly CommitRecord[]): string {
  return list(
    commits.map(
      ({ turn, message, paths }) => `turn ${turn}: ${excerpt(message, 80)} (${list(paths.slice(0, 5))})`,
    ),
    'no commits',
  );
}
