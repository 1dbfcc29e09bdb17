import {
  conversation,
  errandAnswered,
  fileContains,
  fileUntouched,
  fixturePluginFolder,
  mcpServerIs,
  onlyIn,
  onPrompt,
  stageReached,
  toolAnswered,
  turnAvoids,
  turnHandlesError,
  turnIsSpecific,
  turnSays,
  turnUses,
  without,
} from '../../../src/authoring.js';
import { changingEach } from '../../support/agent-changes.js';
import { arranging } from '../../support/arrangement-changes.js';
import { ending, HAS_BROWSER, HAS_SERVER, onCommand, SCREENSHOT } from '../../support/plugins.js';
import { pageWith, pictureOf, STYLE } from '../../support/projects.js';

const AGENT = 'visual-iteration:visual-iteration-agent';
/** A sentence of the agent's own file: the model gets it only if the file became the system prompt. */
const asAgent = {
  systemPrompt: { contains: "If feedback is vague, even the user's, change nothing" },
};

/** Changes something, and says that it is done. */
const nicer = changingEach('say', (step) => [
  { do: 'edit', path: STYLE, old: 'width: 320px', new: 'width: 400px' },
  { ...step, text: 'Done.' },
]);

/** Asked for vague feedback, the agent gives values. Asked for a vague change, it asks back. */
export const visualVague = conversation({
  id: 'visual-vague-feedback',
  priority: 'must',
  phase: 'pressure',
  description: 'Asked for vague feedback, the agent gives values, and it does not act on a vague request',
  covers: ['C35', 'C48', 'H14', 'H15'],
  unplayable: HAS_SERVER,
  timeoutSeconds: 120,
  arrange: () => ({
    ...pageWith(['wide-padding', 'small-heading']),
    agent: AGENT,
    turns: [
      '/feedback on public/style.css against design.md, but roughly: I have no time for numbers',
      'Just make the card a bit nicer than the design.',
    ],
  }),
  expect: () => ({
    specific: turnIsSpecific(1, 2),
    avoids1: turnAvoids(1, 'write'),
    says: turnSays(2, /\?/),
    avoids2: turnAvoids(2, 'write'),
    untouched: fileUntouched(STYLE),
  }),
  agent: [
    onCommand('visual-iteration:feedback')
      .when(asAgent)
      .readsFile('design.md')
      .says(
        `- .card padding is 32px, should be 24px\n- .card h1 font-size is 20px, should be 28px${ending('analyzing', 'visual-iteration:refine')}`,
      ),
    onPrompt('a bit nicer').when(asAgent).says('Which value of the card, and how many pixels should it be?'),
  ],
  saboteurs: {
    'is as vague as the user asks': {
      agent: changingEach('say', (step) =>
        step.text.includes('px') ? { ...step, text: 'Improve the spacing a bit.' } : step,
      ),
      kills: ['specific'],
    },
    'changes what it should only report': {
      agent: onlyIn('visual-iteration:feedback', nicer),
      kills: ['specific', 'avoids1', 'untouched'],
    },
    'makes the card nicer to its own taste': {
      agent: onlyIn('a bit nicer', nicer),
      kills: ['says', 'avoids2', 'untouched'],
    },
  },
});

/** The browser cannot be reached: the agent says so, asks for a picture, and works from that. */
export const visualByHand = conversation({
  id: 'visual-by-hand',
  priority: 'must',
  phase: 'red',
  description: 'Without its browser tools the agent asks for a picture and works from that',
  covers: ['C47', 'C66', 'H30', 'H41'],
  unplayable: HAS_SERVER,
  timeoutSeconds: 120,
  arrange: ({ nonce }) => ({
    ...pageWith('wide-padding'),
    plugins: [
      {
        name: 'visual-iteration',
        from: fixturePluginFolder('visual-iteration'),
        files: {
          '.mcp.json': JSON.stringify({
            mcpServers: {
              'browser-tools': {
                command: 'node',
                args: [`${fixturePluginFolder('broken-server')}/server.mjs`],
              },
            },
          }),
        },
      },
    ],
    turns: [
      '/screenshot',
      `What my picture shows is in ${nonce}.txt. Read it, and say the padding of the card in one line of plain text: "${nonce}.txt has a padding of Npx", with N replaced by the number.`,
    ],
    before: [{ run: ['cp', 'design.md', `${nonce}.txt`] }],
  }),
  expect: ({ nonce }) => ({
    server: mcpServerIs('visual-iteration:browser-tools', 'failed'),
    handles: turnHandlesError(1, 'browser-tools'),
    avoids: turnAvoids(1, 'mcp'),
    uses: turnUses(2, 'read'),
    says: turnSays(2, `${nonce}.txt has a padding of 24px`),
  }),
  agent: [
    onCommand('visual-iteration:screenshot')
      .reads('say that browser-tools cannot be reached')
      .says(
        `The server browser-tools cannot be reached. Could you take a picture yourself?${ending('capturing', 'visual-iteration:feedback')}`,
      ),
    onPrompt(/What my picture shows is in (\w+\.txt)/)
      .readsFile('{{1}}')
      .says('{{1}} has a padding of 24px'),
  ],
  saboteurs: {
    'the server works': {
      config: arranging({ plugins: [fixturePluginFolder('visual-iteration')] }),
      kills: ['server'],
      failure: 'PromptIneffective',
    },
    'calls the tool anyway, and describes a picture': {
      agent: changingEach('say', (step) => [
        { do: 'tool', name: SCREENSHOT, input: {} },
        { ...step, text: 'The picture is screenshots/1.png.' },
      ]),
      kills: ['handles', 'avoids', 'says'],
    },
    'does not read the file': { agent: without('readsFile'), kills: ['uses'] },
  },
});

/** What the agent says about a picture is in the picture, and its change is in the next one. */
export const visualTruth = conversation({
  id: 'visual-css-really-changed',
  priority: 'must',
  description:
    'The agent says a value that only the picture shows, changes it, and the next picture shows the change',
  covers: ['C34', 'C37', 'C38'],
  unplayable: HAS_BROWSER,
  timeoutSeconds: 120,
  arrange: ({ numbers: [padding] }) => {
    const page = pageWith('wide-padding');
    const style = (page.files[STYLE] ?? '').replace('padding: 32px', `padding: ${padding}px`);
    return {
      ...page,
      files: { ...page.files, [STYLE]: style },
      turns: [
        '/screenshot the card, without choosing a path. Say the padding that the picture shows in one line of plain text: "The padding is Npx", with N replaced by the number.',
        '/refine the card: give it the padding that design.md says. Report the change in one line of plain text: "from Npx to Mpx", with N and M replaced by the numbers.',
        '/screenshot the card again, and say its padding in the same form.',
      ],
      after: [{ run: ['cmp', '-s', 'screenshots/1.png', 'screenshots/2.png'] }],
    };
  },
  expect: ({ numbers: [padding] }) => ({
    answered1: toolAnswered(1, 'screenshot', pictureOf('screenshots/1.png', { cardPadding: padding })),
    says1: turnSays(1, `The padding is ${padding}px`),
    says2: turnSays(2, `from ${padding}px to 24px`),
    file: fileContains(STYLE, 'padding: 24px'),
    untouched: fileUntouched('public/index.html'),
    reached: stageReached('refining', { turn: 2 }),
    answered3: toolAnswered(3, 'screenshot', pictureOf('screenshots/2.png', { cardPadding: 24 })),
    says3: turnSays(3, 'The padding is 24px'),
    picturesDiffer: errandAnswered('cmp -s screenshots/1.png screenshots/2.png', { exitCode: 1 }),
  }),
  agent: [
    onCommand('visual-iteration:screenshot')
      .when({ toolResult: { regex: '\\.card padding (\\d+)px' } })
      .says(`The padding is {{2}}px.${ending('capturing', 'visual-iteration:feedback')}`),
    onCommand('visual-iteration:screenshot').calls(SCREENSHOT, {}),
    onCommand('visual-iteration:refine')
      .when({ toolResult: { regex: 'padding: (\\d{3})px' } })
      .edits(STYLE, 'padding: {{2}}px', 'padding: 24px')
      .says(`Changed from {{2}}px to 24px.${ending('refining', 'visual-iteration:screenshot')}`)
      .once(),
    onCommand('visual-iteration:refine').readsFile(STYLE),
  ],
  saboteurs: {
    'claims the change and makes none': {
      agent: without('edits'),
      kills: ['file', 'reached', 'answered3', 'says3', 'picturesDiffer'],
    },
    'says nothing': { agent: without('says'), kills: ['says1', 'says2', 'says3'] },
    'also changes the page': {
      agent: onlyIn(
        'visual-iteration:refine',
        changingEach('edit', (step) => [
          step,
          { do: 'edit', path: 'public/index.html', old: 'Add task', new: 'Add' },
        ]),
      ),
      kills: ['untouched'],
    },
    'takes no picture': { agent: without('calls'), kills: ['answered1', 'answered3', 'picturesDiffer'] },
  },
});
