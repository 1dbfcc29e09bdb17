/*
 * The parts of Ralph's surface that no promise is about, each with the reason. An entry also covers what is below it:
 * `command web` covers `flag web --no-open`.
 */
export const OUTSIDE: Readonly<Record<string, string>> = {
  'command web': 'The dashboard is another program; it needs a browser.',
  'command tui': 'It needs a running ralph-api server, which Ralph does not ship as a command.',
  'command bot': 'It needs a Telegram account.',
  'command mcp': 'A server for other programs, with tests of its own in ralph-api.',
  'command tutorial': 'It explains Ralph to a person and changes nothing.',
  'flag --help': 'The surface is read from it.',
  'flag --version': 'ralph-e2e asks for the version before each run.',
  'config RObot.telegram.api_url': 'It needs a Telegram account.',
  'config RObot.telegram.bot_token': 'It needs a Telegram account.',
  'config tui.prefix_key': 'A key of the terminal UI.',
  'topic event.name': 'An example in an instruction.',
  'topic build.task': 'Ralph 2.10.1 has texts about it that no prompt contains.',
  'topic review.approved': 'Ralph 2.10.1 has texts about it that no prompt contains.',
  'topic review.changes_requested': 'Ralph 2.10.1 has texts about it that no prompt contains.',
  'topic review.request': 'Ralph 2.10.1 has texts about it that no prompt contains.',
  'topic user.response': 'An answer in a planning session of the dashboard.',
};
