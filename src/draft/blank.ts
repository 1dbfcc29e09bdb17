import { nameConstant, writeImport } from './source.js';

const IMPORTS = `agentSaid completed fileEquals loop onObjective promptContained scenario without`.split(' ');

/** Drafts a small scenario that passes and is proved, as a starting point. */
export function draftBlank(id: string): string {
  return `${writeImport(IMPORTS, 'ralph-e2e')}

export const ${nameConstant(id, new Set(IMPORTS))} = scenario({
  id: '${id}',
  description: 'The agent writes a sum and says a word in uppercase',

  // What Ralph gets. Each attempt has a new random word (\`nonce\`) and new random \`numbers\`.
  arrange: ({ nonce, numbers: [a, b] }) => ({
    config: loop({ maxIterations: 3 }), // Ralph accepts completion up to iteration max - 1
    prompt: [
      \`Write the sum of \${a} and \${b} into sum.txt, and nothing else.\`,
      \`Say \${nonce} in uppercase. Then declare the objective complete.\`,
    ].join('\\n'),
  }),

  // What the evidence must show. You choose the names; saboteurs refer to them.
  expect: ({ nonce, numbers: [a, b] }) => ({
    ends: completed(),
    asked: promptContained(nonce, { iteration: 1 }),
    shouts: agentSaid(nonce.toUpperCase()),
    sum: fileEquals('sum.txt', \`\${a + b}\`),
  }),

  // What a good agent does in the offline lanes. The script never gets the nonce: it reads it from the prompt.
  agent: [
    onObjective(/sum of (\\d+) and (\\d+)[\\s\\S]*Say (\\w+) in uppercase/)
      .writes('sum.txt', '{{add 1 2}}\\n')
      .says('{{upper 3}}')
      .completes(),
  ],

  // Ways to break the scenario, and the checks that must then fail.
  saboteurs: {
    'writes nothing': { agent: without('writes'), kills: ['sum'] },
    'says nothing': { agent: without('says'), kills: ['shouts'] },
    'the prompt has another word': {
      config: (arranged, { nonce }) => ({ ...arranged, prompt: arranged.prompt.replace(nonce, 'hello') }),
      kills: ['asked', 'shouts'],
      failure: 'PromptIneffective',
    },
    'Ralph does not see the promise': {
      target: 'ignore-completion',
      kills: ['ends'],
      failure: 'UnexpectedTermination',
    },
  },
});
`;
}
