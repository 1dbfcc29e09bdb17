/** Texts with everything that Claude Code fills in, and with what only looks like it. */
const BODIES = [
  (word) => `Do ${word} with $ARGUMENTS.\n`,
  (word) => `Do ${word} with $ARGUMENTS.\n`,
  (word) => `\n\n  Do ${word} in \${CLAUDE_PLUGIN_ROOT}/bin for $0 and \${HOME}.  \n\n`,
  (word) =>
    `${word} in \${CLAUDE_PROJECT_DIR}, session \${CLAUDE_SESSION_ID}, folder \${CLAUDE_SKILL_DIR}.\n`,
  (word) => `${word}: $first, then $second, not \\$first.\n`,
  (word) => `${word}: A=!\`echo literal\` and (!\`echo literal\`).\n`,
  (word) => `${word}: !\`echo ran\` and\n!\`echo also ran\`\n`,
];

const FLAGS = ['user-invocable', 'disable-model-invocation'];
const VALUES = ['true', 'false', 'yes', 'no', 'n', 'null', 'on', 'off', '"true"', 'y'];

/** Heads that strict YAML rejects and Claude Code reads, and forms that names come in. */
export function markdown(draw, word) {
  const name = draw.pick([
    ...[null, null, null, word, `${word}-other`, `"${word}-quoted"`, `${word} spaced`],
    ...[`${word}.dotted`, `${word}-é`],
  ]);
  const description = draw.pick([
    ...[
      null,
      'Plain words',
      'Use when: something happens',
      '"Quoted: fine"',
      "It's here",
      '*.ts files',
      '`code` first',
    ],
    ...[
      '|\n  two\n  lines',
      '>-\n  folded\n  text',
      '@mention it',
      '[a] list? no: text',
      'Ends # with a comment',
      '{curly} first',
    ],
  ]);
  const lines = [
    ...(name === null ? [] : [`name: ${name}`]),
    ...(description === null ? [] : [`description: ${description}`]),
    ...(draw.chance(0.3) ? ['argument-hint: "[what]"'] : []),
    ...(draw.chance(0.2) ? ['allowed-tools: Read, Bash(git *)'] : []),
    ...(draw.chance(0.2) ? [draw.pick(['arguments: first second', 'arguments: [first, second]'])] : []),
    ...(draw.chance(0.15) ? [`${draw.pick(FLAGS)}: ${draw.pick(VALUES)}`] : []),
  ];
  const body = draw.pick(BODIES)(word);
  if (lines.length === 0) return body;
  const text = `---\n${lines.join('\n')}\n---\n\n${body}`;
  return draw.chance(0.1) ? text.replaceAll('\n', '\r\n') : text;
}
