/** A prompt as ralph 2.10.1 lays it out, with the parts that a test is about. */
export function ralphPrompt(parts: {
  readonly objective?: string;
  readonly events?: readonly (readonly [topic: string, payload: string])[];
  readonly hat?: { readonly name: string; readonly instructions: string };
  readonly memories?: string;
  readonly promise?: string;
}): string {
  const { objective = 'Do the thing', events = [], hat, memories, promise = 'LOOP_COMPLETE' } = parts;
  const sections = [
    ...(memories === undefined
      ? []
      : [`# Memories\n\n## Patterns\n\n### mem-1794702108-fcbb\n> ${memories}`]),
    '### 0a. ORIENTATION\nYou are Ralph. You are running in a loop.',
    '### 0b. SCRATCHPAD\n`.ralph/agent/scratchpad.md` is your thinking journal for THIS objective.',
    `## OBJECTIVE\n\n**This is your primary goal. All work must advance this objective.**\n\n> ${objective}\n\nYou MUST keep this objective in mind throughout the iteration.`,
    `## PENDING EVENTS\n\nYou MUST handle these events in this iteration:\n\n${events.map(([topic, payload]) => `Event: ${topic} - ${payload}`).join('\n')}`,
    ...(hat === undefined
      ? []
      : [
          `## ACTIVE HAT\n\n### ${hat.name} Instructions\n\n${hat.instructions}\n\n### Event Publishing Guide`,
        ]),
    '## EVENT WRITING\n\nYou MUST use `ralph emit` to write events.',
    ...(hat === undefined
      ? [
          `## DONE\n\nYou MUST output the literal completion promise \`${promise}\` as the final non-empty line.`,
        ]
      : []),
  ];
  return `\n${sections.join('\n\n')}\n`;
}
