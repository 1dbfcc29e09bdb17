import type { Scenario } from '../../src/authoring.js';
import { questionsOnly } from '../support/commands.js';
import { answersOf, askAll, type Inquiries } from '../support/inquiries.js';

/*
 * Ralph lets an agent CLI draw the hats. Programs of the workspace take its part: what a model would draw, nobody could
 * check.
 */

const program = (...lines: readonly string[]) => ({
  content: ['#!/bin/sh', ...lines, ''].join('\n'),
  mode: 0o755,
});

/** Draws its own name, with all that models like to put around a drawing. */
const draughtsman = program(
  '[ "$1" = --version ] && exit 0',
  'name=$' + '{0##*/}',
  String.raw`printf '\140\140\140text\n\nHere is the diagram:\n+-- %s --+\n   |\n\140\140\140\n' "$name"`,
);

const HATS = [
  'hats:',
  '  b: { name: Builder, description: b, triggers: [wall.todo, wall.again], publishes: [wall.up] }',
  '  a: { name: Auditor, description: a, triggers: [wall.up], publishes: [all.good] }',
  '',
].join('\n');

const FILES = {
  'programs/claude': program('exit 1'),
  'programs/kiro-cli': program('exit 1'),
  'programs/gemini': draughtsman,
  'programs/codex': draughtsman,
  'programs/amp': program('echo "no ink" >&2', 'exit 4'),
  'programs/copilot': program(''),
  // Repeats its last argument, the prompt.
  'programs/opencode': program('for prompt; do :; done', String.raw`printf '%s\n' "$prompt"`),
  'auto.yml': `cli: { backend: auto }\n${HATS}`,
  'codex.yml': `cli: { backend: codex }\n${HATS}`,
  'none.yml': 'cli: { backend: auto }\n',
};

const graph = (...args: readonly string[]) => ['hats', 'graph', ...args];
const ENV = { PATH: 'programs:/usr/bin:/bin' };

const ASKED = [
  '- task.start → Ralph',
  '- Ralph → Auditor (triggers on: wall.up)',
  '- Ralph → Builder (triggers on: wall.todo)',
  '- Ralph → Builder (triggers on: wall.again)',
  '- Auditor → Ralph (publishes: all.good)',
  '- Builder → Ralph (publishes: wall.up)',
  '- Builder → Auditor (via event: wall.up)',
  '\nOutput ONLY the ASCII diagram',
].join('\n');

const DRAWN: Inquiries = {
  detected: {
    args: graph('-c', 'auto.yml'),
    env: ENV,
    answer: { stdout: /^\+-- gemini --\+\n {3}\|\n$/ },
  },
  configured: {
    args: graph('-c', 'codex.yml', '--format', 'ascii'),
    env: ENV,
    answer: { stdout: /^\+-- codex --\+\n {3}\|\n$/ },
  },
  named: {
    args: graph('-c', 'codex.yml', '-b', 'gemini'),
    env: ENV,
    answer: { stdout: /^\+-- gemini --\+\n {3}\|\n$/ },
  },
  asked: {
    args: graph('-c', 'auto.yml', '-b', 'opencode'),
    env: ENV,
    answer: { stdout: ASKED },
  },
  failed: {
    args: graph('-c', 'auto.yml', '-b', 'amp'),
    env: ENV,
    answer: { exitCode: 1, stderr: /Backend 'amp' failed \(exit code: Some\(4\)\):\nno ink\n/ },
  },
  silent: {
    args: graph('-c', 'auto.yml', '-b', 'copilot'),
    env: ENV,
    answer: { exitCode: 1, stderr: /Backend 'copilot' returned empty output/ },
  },
  unknown: {
    args: graph('-c', 'auto.yml', '-b', 'nonesuch'),
    env: ENV,
    answer: { exitCode: 1, stderr: /Unknown backend: nonesuch\s+Valid backends: claude, / },
  },
  nobody: {
    args: graph('-c', 'auto.yml', '--format', 'unicode'),
    env: { PATH: 'nowhere' },
    answer: {
      exitCode: 1,
      stderr:
        /No supported AI backend found[\s\S]*claude, kiro, kiro-acp, gemini, codex, (?:forge, )?amp, copilot, opencode, pi, roo/,
    },
  },
  noHats: {
    args: graph('-c', 'none.yml'),
    env: ENV,
    answer: { stdout: /^No hats configured\.\n$/ },
  },
};

const drawing = questionsOnly({
  id: 'hats-drawing',
  lanes: ['sim'],
  description:
    '`ralph hats graph` lets the named, the configured or the first working agent CLI draw every hat and event',
  covers: ['FR15'],
  beyondStandIn: 'drawings of hats',

  plan: {
    files: FILES,
    before: askAll(DRAWN),
  },

  answers: answersOf(DRAWN),
});

export const hatDrawings: readonly Scenario[] = [drawing];
