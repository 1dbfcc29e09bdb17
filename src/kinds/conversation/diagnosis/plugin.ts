import { type Case, quoteCheck } from '../../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../../domain/diagnosis/rule.js';
import type { Turn } from '../../../domain/evidence/conversation.js';
import { inConversation } from './in-conversation.js';

const pluginNotLoaded: DiagnosisRule = {
  name: 'plugin-not-loaded',
  type: 'ConfigurationError',
  blames: 'target',
  hypothesis:
    'The CLI could not load a plugin, or a part of it. It goes on without, and says so only in its first event.',
  investigations: ['Run `claude plugin validate` on the folder of the plugin.'],
  fixes: [fix('Correct what the message names', 0.9, '.claude-plugin/plugin.json')],
  find: inConversation(({ init }, failure) => {
    const errors = init?.pluginErrors ?? [];
    const wanted = failure.attempt.checks.some(({ kind }) => kind === 'pluginFailed');
    if (errors.length === 0 || wanted) return null;
    return errors.map(({ plugin, type, message }) => `${plugin} ${type}: ${message}`);
  }),
};

const pluginWorksAfterAll: DiagnosisRule = {
  name: 'plugin-works-after-all',
  type: 'AssertionMismatch',
  blames: 'target',
  hypothesis:
    'The scenario is about a plugin that cannot be loaded, and the CLI loaded it without complaint.',
  investigations: ['Is the plugin still broken? If it is: the CLI has become more lenient.'],
  find: inConversation(({ init }, failure) => {
    const unsaid = failure.broken.filter(({ kind }) => kind === 'pluginFailed');
    if (unsaid.length === 0 || (init?.pluginErrors ?? []).length > 0) return null;
    return unsaid.map(quoteCheck);
  }),
};

/** Ends of turns whose command never reached the agent. */
const UNSENT: ReadonlySet<Turn['outcome']['kind']> = new Set(['unknown-command', 'ambiguous-command']);

const commandUnknown: DiagnosisRule = {
  name: 'command-unknown',
  type: 'ConfigurationError',
  blames: 'target',
  hypothesis:
    'A command of the conversation does not exist, or several plugins have one of that name: it was not sent.',
  investigations: ['Is the plugin loaded, and does it have the file under commands/?'],
  fixes: [fix('Add the command to the plugin, or give it with its namespace', 0.8, 'commands/')],
  find: inConversation(({ turns, commands }, failure) => {
    const lost = turns.filter((turn) => UNSENT.has(turn.outcome.kind) && !isMeant(turn, failure));
    if (lost.length === 0) return null;
    const offered = commands.map(({ name }) => name).filter((name) => name.includes(':'));
    return [
      ...lost.map(({ number, asked }) => `turn ${number}: ${asked}`),
      `commands of plugins: ${offered.join(', ') || 'none'}`,
    ];
  }),
};

const partMissing: DiagnosisRule = {
  name: 'plugin-part-missing',
  type: 'ConfigurationError',
  blames: 'target',
  hypothesis: 'The session does not have a plugin, or a part of one, that the conversation is about.',
  investigations: ['Which folders of plugins did the CLI get, and what lies in them?'],
  fixes: [fix('Add the plugin, or the part that it lacks', 0.7, '.claude-plugin/plugin.json')],
  find: inConversation((_, { broken }) => {
    const missing = broken.filter(({ kind }) => PART_KINDS.has(kind));
    if (missing.length === 0) return null;
    return missing.map(quoteCheck);
  }),
};

const PART_KINDS = new Set(['pluginLoaded', 'commandsOffered', 'componentsOffered']);

/** Whether a check holds which wants the turn to end as it did: then its end explains nothing. */
function isMeant({ number }: Turn, { attempt }: Case): boolean {
  return attempt.checks.some(
    ({ kind, about, passed }) => passed && kind === 'turnEnded' && about?.turn === number,
  );
}

/** What the session was started with. */
export const pluginRules: readonly DiagnosisRule[] = [
  pluginNotLoaded,
  pluginWorksAfterAll,
  commandUnknown,
  partMissing,
];
