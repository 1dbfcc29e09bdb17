import picomatch from 'picomatch';
import type { Check, Verdict } from '../../../domain/check.js';
import {
  aboutWanted,
  countNoun,
  excerpt,
  holds,
  list,
  show,
  type Wanted,
} from '../../../domain/checks/text.js';
import type {
  CommitRecord,
  ConversationRecord,
  TurnSnapshot,
} from '../../../domain/evidence/conversation.js';
import { findFileAfter } from '../stages/workspace.js';
import { checkConversation } from './check-turn.js';

/** Checks that the agent made exactly this many commits. Commits from before the conversation do not count. */
export function commitsMade(count: number): Check {
  return checkConversation('commitsMade', 'FileCreated', {
    judges: 'agent',
    name: `the agent makes ${countNoun(count, 'commit')}`,
    about: { limit: count },
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
  return checkConversation('commitIs', 'FileContains', {
    judges: 'agent',
    name: `commit ${place} ${wanted}`,
    about: {
      ...aboutWanted(message),
      ...(path === undefined ? {} : { path }),
      ...(turn === undefined ? {} : { turn }),
    },
    judge: ({ commits }) => {
      const commit = commits[place - 1];
      return {
        passed:
          commit !== undefined &&
          (message === undefined || holds(commit.message, message)) &&
          (touches === undefined || commit.paths.some((path) => matchesGlob(path, touches))) &&
          (only === undefined ||
            (commit.paths.length > 0 && commit.paths.every((path) => matchesGlob(path, only)))) &&
          (turn === undefined || commit.turn === turn),
        expected: `commit ${place} that ${wanted}`,
        actual: describeCommits(commits),
      };
    },
  });
}

function matchesGlob(path: string, glob: string): boolean {
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

/**
 * Checks what a file contains after a turn, whatever later turns do to it. With `null`, the file must not exist then.
 * Turn 0 is the moment before the first turn.
 */
export function fileAfterTurn(turn: number, path: string, wanted: Wanted | null): Check {
  const what = wanted === null ? 'does not exist' : `contains ${show(wanted)}`;
  return {
    ...checkConversation('fileAfterTurn', 'FileContains', {
      judges: 'agent',
      name: `${path} ${what} after turn ${turn}`,
      about: { turn, path, ...aboutWanted(wanted ?? undefined) },
      judge: (record) =>
        onTurn(record, turn, (snapshots) => {
          const file = findFileAfter(snapshots, turn, path);
          return {
            passed:
              wanted === null ? file.kind === 'absent' : file.kind === 'whole' && holds(file.text, wanted),
            expected: `${path} that ${what} after turn ${turn}`,
            actual:
              file.kind === 'whole'
                ? excerpt(file.text)
                : file.kind === 'absent'
                  ? 'no such file'
                  : `content that is not known: ${file.why}`,
          };
        }),
    }),
    reads: [path],
  };
}

/** Checks that a turn changed files: each glob must match a file that it added, modified or deleted. */
export function turnChanges(turn: number, ...globs: readonly [string, ...string[]]): Check {
  return checkConversation('turnChanges', 'FileCreated', {
    judges: 'agent',
    name: `turn ${turn} changes ${list(globs)}`,
    about: { turn, names: globs },
    judge: (record) =>
      onTurn(record, turn, (snapshots) => {
        const paths = (snapshots.find((taken) => taken.turn === turn)?.files ?? []).map(({ path }) => path);
        const missed = globs.filter((glob) => !paths.some((path) => matchesGlob(path, glob)));
        return {
          passed: missed.length === 0,
          expected: `changes of ${list(globs)}`,
          actual: describeChanges(snapshots, turn),
        };
      }),
  });
}

/** Checks that a turn changed nothing else than files that match these globs. Without a glob, it must change nothing. */
export function turnChangesOnly(turn: number, ...globs: readonly string[]): Check {
  const what = list(globs, 'nothing');
  return checkConversation('turnChangesOnly', 'FileCreated', {
    judges: 'agent',
    name: `turn ${turn} changes only ${what}`,
    about: { turn, names: globs },
    judge: (record) =>
      onTurn(record, turn, (snapshots) => {
        const found = snapshots.find((taken) => taken.turn === turn);
        const others = (found?.files ?? []).filter(
          ({ path }) => !globs.some((glob) => matchesGlob(path, glob)),
        );
        return {
          // What is not listed may have changed.
          passed: found !== undefined && !found.truncated && others.length === 0,
          expected: `no changes except of ${what}`,
          actual: describeChanges(snapshots, turn),
        };
      }),
  });
}

/** Judges a turn that took place. One that did not changed nothing, which must not count as a pass. */
function onTurn(
  { turns, snapshots }: ConversationRecord,
  turn: number,
  judge: (snapshots: readonly TurnSnapshot[]) => Verdict,
): Verdict {
  if (snapshots === undefined) {
    return { passed: false, expected: 'snapshots of the files', actual: 'evidence from before snapshots' };
  }
  if (turn === 0 || turns.some(({ number }) => number === turn)) return judge(snapshots);
  return { passed: false, expected: `turn ${turn}`, actual: `a conversation of ${turns.length} turns` };
}

function describeChanges(snapshots: readonly TurnSnapshot[], turn: number): string {
  const found = snapshots.find((taken) => taken.turn === turn);
  if (found === undefined) return `no snapshot of turn ${turn}`;
  const shown = list(
    found.files.map(({ path, change }) => `${path} (${change})`),
    'no changes',
  );
  return found.truncated ? `${shown}, and more than could be compared` : shown;
}
