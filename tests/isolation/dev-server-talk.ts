import {
  conversation,
  devServerRan,
  fileContains,
  onPrompt,
  type Scenario,
  stayedInside,
  turnsCompleted,
} from '../../src/index.js';

const START = `import { createServer } from 'node:http';
const listen = (answer) => createServer(answer).listen(Number(process.env.PORT), '127.0.0.1');
`;

const SERVERS = {
  serves: `${START}listen((request, response) => response.end('The word is ' + process.argv[2] + '.'));`,
  ends: `${START}listen((request, response) => response.end('Goodbye.', () => process.exit(3)));`,
  fails: 'console.error("no database"); process.exit(4);',
} as const;

/** Asks with the program that is surely there. */
const ASK = `${process.execPath} -e "fetch('{{1}}').then((a) => a.text()).then(console.log, (e) => console.log(e.message))"`;

/** A conversation about a server that serves a word, ends after its first answer, or does not get that far. */
export function devServerTalk(server: keyof typeof SERVERS): Scenario {
  return conversation({
    id: `dev-server-${server}`,
    backend: 'claude',
    tier: 8,
    priority: 'should',
    phase: 'green',
    description: 'An agent that asks a server',
    covers: [],
    arrange: ({ nonce }) => ({
      files: { 'serve.mjs': SERVERS[server] },
      devServer: { run: ['node', 'serve.mjs', nonce], seconds: 60 },
      allowedTools: ['Bash'],
      turns: ['Ask {{devServer}} for its word, and write it to WORD.txt.'],
    }),
    expect: ({ nonce }) => [
      turnsCompleted(),
      fileContains('WORD.txt', nonce),
      devServerRan(),
      stayedInside(),
    ],
    agent: [
      onPrompt(/Ask (http\S+) for its word/).runs(ASK),
      onPrompt('for its word')
        .when({ toolResult: { regex: 'The word is (\\w+)' } })
        .writes('WORD.txt', '{{1}}\n')
        .says('Written.'),
    ],
  });
}
