import { RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import type { HatConfig, RalphConfig } from '../config/config.js';
import { faulty } from '../faults.js';
import { matchTopic } from '../loop/bus.js';

/** Renders the topology for the coordinator, or the instructions of the active hats. */
export function renderHats(config: RalphConfig, activeHats: readonly HatConfig[]): string {
  if (activeHats.length === 0 && faulty('no-topology')) return '';
  if (activeHats.length === 0) return renderTopology(config);
  const misled = config.eventLoop.startingEvent !== undefined && faulty('repeat-starting-event');
  const start = misled ? renderStart(config) : '';
  return `## ACTIVE HAT\n\n${start}${activeHats.map((hat) => renderActiveHat(hat, config.hats)).join('')}`;
}

function renderStart({ eventLoop: { startingEvent } }: RalphConfig): string {
  return startingEvent === undefined
    ? ''
    : `**After coordination, publish \`${startingEvent}\` to start the workflow.**\n\n`;
}

function renderTopology(config: RalphConfig): string {
  const { hats } = config;
  const triggers = [...new Set([RALPH_TOPICS.start, ...hats.flatMap((hat) => hat.publishes)])];
  const publishes = [...new Set(hats.flatMap((hat) => hat.triggers))];
  const rows = [
    row('Ralph', triggers, publishes, 'Coordinates workflow, delegates to specialized hats'),
    ...hats.map((hat) => row(hat.name, hat.triggers, hat.publishes, hat.description)),
  ];
  const constraint =
    publishes.length === 0
      ? ''
      : `**CONSTRAINT:** You MUST only publish events from this list: \`${publishes.join('`, `')}\`\nNo hat receives anything else.\n\n`;
  return `## HATS

Delegate via events.

${renderStart(config)}| Hat | Triggers On | Publishes | Description |
|-----|-------------|----------|-------------|
${rows.join('\n')}

${renderDiagram(hats)}
${constraint}`;
}

function row(
  name: string,
  triggers: readonly string[],
  publishes: readonly string[],
  description: string,
): string {
  return `| ${name} | ${triggers.join(', ')} | ${publishes.join(', ')} | ${description} |`;
}

function renderDiagram(hats: readonly HatConfig[]): string {
  const node = (hat: HatConfig): string => hat.name.replace(/[^\p{L}\p{N}]/gu, '');
  const box = (hat: HatConfig): string => (node(hat) === hat.name ? hat.name : `${node(hat)}[${hat.name}]`);
  const arrows = [
    'task.start((task.start)) --> Ralph',
    ...hats.flatMap((hat) => hat.triggers.map((trigger) => `Ralph -->|${trigger}| ${box(hat)}`)),
    ...hats.flatMap((hat) => hat.publishes.map((topic) => `${node(hat)} -->|${topic}| Ralph`)),
    ...hats.flatMap((hat) =>
      hat.publishes.flatMap((topic) =>
        hats
          .filter((other) => other.name !== hat.name && other.triggers.includes(topic))
          .map((other) => `${node(hat)} -->|${topic}| ${node(other)}`),
      ),
    ),
  ];
  return `\`\`\`mermaid\nflowchart LR\n${arrows.map((arrow) => `    ${arrow}\n`).join('')}\`\`\`\n`;
}

function renderActiveHat(hat: HatConfig, hats: readonly HatConfig[]): string {
  const instructions =
    hat.instructions.trim() === '' || faulty('drop-hat-instructions')
      ? ''
      : `### ${hat.name} Instructions\n\n${hat.instructions}${hat.instructions.endsWith('\n') ? '' : '\n'}\n`;
  return `${instructions}${renderPublishingGuide(hat, hats)}${renderWaves(hat, hats)}${renderRestrictions(hat)}`;
}

function renderPublishingGuide(hat: HatConfig, hats: readonly HatConfig[]): string {
  if (hat.publishes.length === 0) return '';
  const lines = hat.publishes.map((topic) => {
    const receivers = findReceivers(hats, topic).map(({ name, description }) =>
      description === '' ? name : `${name} (${description})`,
    );
    const text = receivers.length === 0 ? 'Ralph (coordinates next steps)' : receivers.join(', ');
    return `- \`${topic}\` → Received by: ${text}\n`;
  });
  return `### Event Publishing Guide

You MUST publish exactly ONE event when your work is complete, with \`ralph emit "<topic>" "<brief summary>"\`.
A summary in words publishes nothing. The next hat starts in a fresh iteration.

When you publish:
${lines.join('')}
`;
}

function renderWaves(hat: HatConfig, hats: readonly HatConfig[]): string {
  const parallel = hat.publishes.flatMap((topic) =>
    findReceivers(hats, topic)
      .filter(({ concurrency }) => concurrency > 1)
      .map((receiver) => ({ topic, receiver })),
  );
  const first = parallel[0];
  if (first === undefined) return '';
  const rows = parallel.map(
    ({ topic, receiver }) => `| \`${topic}\` | ${receiver.name} | ${receiver.concurrency} |\n`,
  );
  return `### Wave Dispatch (Parallel Execution)

Some receivers can work on several items at once; \`ralph wave emit\` hands them over together.

| Topic | Activates | Max Concurrent |
|-------|-----------|----------------|
${rows.join('')}
**Usage:**
\`\`\`bash
ralph wave emit ${first.topic} --payloads "item1" "item2" "item3"
\`\`\`

`;
}

function renderRestrictions(hat: HatConfig): string {
  if (hat.disallowedTools.length === 0 || faulty('drop-tool-restrictions')) return '';
  const tools = hat.disallowedTools.map((tool) => `- **${tool}** — blocked for this hat\n`).join('');
  return `### TOOL RESTRICTIONS

You MUST NOT use these tools in this hat:
${tools}
Changed files are checked after the iteration; using one of them counts as leaving your scope.

`;
}

function findReceivers(hats: readonly HatConfig[], topic: string): readonly HatConfig[] {
  return hats.filter((hat) => hat.triggers.some((trigger) => matchTopic(trigger, topic)));
}
