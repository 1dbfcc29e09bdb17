import type { Promises } from '../../../src/authoring.js';

const TELEGRAM = 'needs a Telegram account';

export const human: Promises = {
  'guidance-in-prompt': {
    promise: 'Guidance from a person is in the next prompt, without hats and with an active hat.',
    source: 'ralph-core/src/hatless_ralph.rs: collect_robot_guidance',
    heldBy: { guidance: ['guidance', 'file', 'published'], 'guidance-with-hats': ['guided'] },
    about: ['topic human.guidance'],
  },
  'guidance-several': {
    promise: 'Several messages are all in the prompt, numbered in order.',
    source: 'ralph-core/src/hatless_ralph.rs: collect_robot_guidance',
    heldBy: { guidance: ['guidance', 'date'], 'guidance-with-hats': ['guided', 'joined'] },
  },
  'guidance-stays': {
    promise: 'Guidance is in every later prompt, and in the scratchpad.',
    source: 'ralph-core/src/event_loop/mod.rs: persist_guidance_to_scratchpad',
    heldBy: { 'guidance-with-hats': ['stays', 'notes'] },
  },
  'guidance-blocks-completion': {
    promise: 'Completion is refused while a message is not acknowledged; the refusal says how many.',
    source: 'ralph-core/src/event_loop/mod.rs: check_completion_event',
    heldBy: { guidance: ['ends', 'iterations', 'remaining'], 'guidance-with-hats': ['refused'] },
    about: ['topic human.guidance.ack'],
  },
  'ack-clears-all': {
    promise: 'One human.guidance.ack acknowledges all messages.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'guidance-with-hats': ['ends', 'hats', 'acknowledged'] },
  },
  'interact-without-robot': {
    promise:
      'Without a robot service, human.interact does not block: the question is a pending event of the next prompt.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'guidance-with-hats': ['asked', 'question'] },
    about: ['topic human.interact', 'config RObot.enabled'],
  },
  'interact-asks': {
    promise:
      'With RObot.mode web, a question is written to .ralph/api/robot-question.json with its hat, iteration and token, and the loop waits.',
    source: 'ralph-cli/src/web_robot_service.rs: send_question',
    not: 'the file is gone when Ralph goes on, and no process of an agent outlives its call to read it',
    about: ['config RObot.mode'],
  },
  'interact-response': {
    promise:
      'The answer to a question reaches the next prompt once, as human.response, and is recorded as an event.',
    source: 'ralph-core/src/event_loop/mod.rs: append_robot_response_event',
    heldBy: { 'ask-answered': ['pending', 'answer', 'recorded', 'once'] },
    about: ['topic human.response'],
  },
  'interact-meanwhile': {
    promise:
      'Events that somebody publishes while Ralph waits for an answer reach the next prompt too, once.',
    source: 'ralph-core/src/event_loop/mod.rs: append_robot_response_event',
    heldBy: { 'ask-answered': ['pending', 'meanwhile', 'once'] },
    about: ['topic human.interact'],
  },
  'interact-stale-answer': {
    promise: 'An answer to another question or with a wrong token does not count.',
    source: 'ralph-cli/src/web_robot_service.rs: extract_correlated_response',
    heldBy: { 'ask-unanswered': ['pending', 'timeout'] },
  },
  'interact-timeout': {
    promise: 'Without an answer in timeout_seconds, the next prompt has human.timeout with the question.',
    source: 'ralph-core/src/event_loop/mod.rs: process_parse_result',
    heldBy: { 'ask-unanswered': ['pending', 'timeout'] },
    about: ['topic human.timeout', 'config RObot.timeout_seconds'],
  },
  checkin: {
    promise:
      'With checkin_interval_seconds, Ralph reports iteration, hat and tasks in .ralph/api/robot-checkin.json.',
    source: 'ralph-cli/src/web_robot_service.rs: send_checkin',
    heldBy: { 'ask-answered': ['checkin'] },
    about: ['config RObot.checkin_interval_seconds'],
  },
  'robot-config-refused': {
    promise: 'RObot without timeout_seconds, or in Telegram mode without a token, is refused.',
    source: 'ralph-core/src/config.rs: RobotConfig::validate',
    heldBy: { 'ask-unanswered': ['endless', 'mute'] },
    about: ['config RObot.telegram.bot_token'],
  },
  'robot-skill': {
    promise:
      'With RObot on, the prompt teaches how to ask a person, in a part of its own; otherwise it does not.',
    source: 'ralph-core/src/event_loop/mod.rs: inject_robot_skill',
    heldBy: { 'ask-answered': ['skill'] },
  },
  'urgent-steer': {
    promise:
      'While an urgent message is pending, `ralph emit` publishes nothing, fails and prints all messages; the next one succeeds.',
    source: 'ralph-cli/src/main.rs: emit_command_with_root',
    heldBy: { 'urgent-steer': ['stopped', 'messages', 'pending', 'again'] },
  },
  'urgent-steer-cleared': {
    promise: 'A run starts and ends without urgent messages of another run.',
    source: 'ralph-cli/src/loop_runner.rs: run_loop_impl',
    heldBy: { 'urgent-steer': ['stale', 'cleared'] },
  },
  telegram: {
    promise: 'With a Telegram bot, people get questions and progress and send guidance from their phone.',
    source: 'ralph-cli/src/bot.rs: execute',
    not: TELEGRAM,
    about: [
      'command bot',
      'command bot onboard',
      'command bot status',
      'command bot test',
      'command bot token',
      'command bot daemon',
      'config RObot.telegram.api_url',
    ],
  },
  'no bot': {
    promise:
      'Without a token or a configuration, `ralph bot daemon`, `bot test` and `bot status` say what is missing and what to do.',
    source: 'ralph-cli/src/bot.rs: run_daemon',
    heldBy: { 'bot-without-token': ['noConfig', 'noDefault', 'noMessage', 'status'] },
    about: ['command bot daemon', 'command bot test', 'command bot status'],
  },
  progress: {
    promise: '`ralph tools interact progress` without a bot says that there is no token.',
    source: 'ralph-cli/src/interact.rs: send_progress',
    heldBy: { 'bot-without-token': ['noProgress'] },
    about: ['command tools interact', 'command tools interact progress'],
  },
  'restart-request': {
    promise:
      'An answer that asks Ralph to restart makes Ralph start its successor, and Ralph says with which command.',
    source: 'ralph-cli/src/main.rs: required_restart_command',
    heldBy: { 'restart-requested': ['successor'] },
    about: ['topic user.prompt', 'reason restart_requested'],
  },
};
