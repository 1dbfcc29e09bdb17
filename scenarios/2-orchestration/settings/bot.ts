import { questionsOnly } from '../../support/commands.js';
import { answersOf, askAll, type Inquiries } from '../../support/inquiries.js';

/* The commands for a bot, as far as they go without an account: nobody is asked, and nothing is sent. */

const MOMENTS = [
  'loop.start',
  'iteration.start',
  'plan.created',
  'human.interact',
  'loop.complete',
  'loop.error',
].flatMap((moment) => [`pre.${moment}`, `post.${moment}`]);
const hooked = (moments: readonly string[]) =>
  JSON.stringify({
    hooks: {
      enabled: true,
      events: Object.fromEntries(
        moments.map((moment) => [moment, [{ name: 'note', command: ['true'], on_error: 'warn' }]]),
      ),
    },
  });

/** No token, neither here nor at home. */
const PLACE = { in: 'asked', env: { RALPH_TELEGRAM_BOT_TOKEN: null } };
const NO_TOKEN = /No bot token available\. Run `ralph bot onboard` or set RALPH_TELEGRAM_BOT_TOKEN/;

const BOT: Inquiries = {
  everyMoment: {
    args: ['bot', 'daemon', '-c', 'hooks.yml'],
    ...PLACE,
    answer: { exitCode: 1, stderr: NO_TOKEN },
  },
  unknownMoment: {
    args: ['bot', 'daemon', '-c', 'unknown.yml'],
    ...PLACE,
    answer: {
      exitCode: 1,
      stderr: new RegExp(
        `Invalid hooks phase-event 'pre\\.loop\\.begin'\\. Supported v1 phase-events: ${MOMENTS.join(', ')}\\.`,
      ),
    },
  },
  noConfig: {
    args: ['bot', 'daemon', '-c', 'none.yml'],
    ...PLACE,
    answer: { exitCode: 1, stderr: /Config file not found: \/.*asked\/none\.yml/ },
  },
  noDefault: {
    args: ['bot', 'daemon'],
    ...PLACE,
    answer: { exitCode: 1, stderr: /Config file not found: \/.*asked\/ralph\.yml/ },
  },
  noMessage: { args: ['bot', 'test'], ...PLACE, answer: { exitCode: 1, stderr: NO_TOKEN } },
  noProgress: {
    args: ['tools', 'interact', 'progress', 'half done'],
    ...PLACE,
    answer: { exitCode: 1, stderr: /No bot token\. Run `ralph bot onboard`/ },
  },
  status: {
    args: ['bot', 'status'],
    ...PLACE,
    answer: {
      stdout:
        /Env var: RALPH_TELEGRAM_BOT_TOKEN not set\n +Config: no token in ralph\.yml\n +RObot: not enabled in ralph\.yml\n +Telegram state: not found\n[\s\S]*No token available\. Run `ralph bot onboard` to set up\./,
    },
  },
};

const FILES = {
  'asked/hooks.yml': hooked(MOMENTS),
  'asked/unknown.yml': hooked(['pre.loop.begin']),
};

/** Whoever has no token learns what is missing. */
export const botWithoutToken = questionsOnly({
  id: 'bot-without-token',
  phase: 'red',
  description:
    'Without a token, the commands for a bot say what is missing, and only hooks for unknown moments are refused',
  covers: ['FR5', 'FR9'],
  beyondStandIn: 'bots',

  plan: {
    files: FILES,
    before: askAll(BOT),
  },

  answers: answersOf(BOT),
});
