interface Section {
  readonly heading: RegExp;
  /** The lines that a program, or an agent looking for data, reads. Headings and tags are always kept. */
  readonly keep?: RegExp;
  /** Keeps a part of a line where the rest is prose. */
  readonly cut?: RegExp;
}

const EVERYTHING = /^/;

/** The sections of a prompt. Only these headings begin a section: any other one is part of what the case put in. */
const SECTIONS: readonly Section[] = [
  { heading: /^<ready-tasks>$/, keep: /^(- |Blocked)/ },
  { heading: /^<scratchpad path=/, keep: EVERYTHING },
  { heading: /^# Memories$/, keep: EVERYTHING },
  { heading: /^### 0a\. ORIENTATION$/, keep: /^You are Ralph\./ },
  { heading: /^### 0b\. SCRATCHPAD$/, cut: /^`[^`]+`/ },
  { heading: /^### STATE MANAGEMENT$/, cut: /^\*\*\w+\*\* \(`[^`]+`\)/ },
  { heading: /^### AVAILABLE CONTEXT FILES$/, cut: /^- `[^`]+`/ },
  { heading: /^### GUARDRAILS$/, cut: /^\d+\./ },
  { heading: /^## SKILLS$/, cut: /^\| [\w-]+ \|/ },
  { heading: /^## OBJECTIVE$/, keep: /^(\*\*|>)/ },
  { heading: /^## ROBOT GUIDANCE$/, keep: /^(?!.*`human\.guidance\.ack`)/, cut: /`human\.guidance\.ack`/ },
  { heading: /^## PENDING EVENTS$/, keep: EVERYTHING },
  { heading: /^## WORKFLOW$/, cut: /^\*\*FAST PATH\*\*: You MUST publish `[^`]+`/ },
  { heading: /^## HATS$/, keep: /^(\||```| {4}|\*\*|Delegate)/ },
  { heading: /^## ACTIVE HAT$/, keep: EVERYTHING },
  { heading: /^### .+ Instructions$/, keep: EVERYTHING },
  { heading: /^### Event Publishing Guide$/, keep: /^- `/ },
  { heading: /^### Wave Dispatch/, keep: /^\|/ },
  { heading: /^### TOOL RESTRICTIONS$/, cut: /^- \*\*[^*]+\*\*/ },
  { heading: /^## EVENT WRITING$/, keep: /^ralph emit "/ },
  { heading: /^## DONE$/, keep: /^> /, cut: /`[^`]+`(?= (via `ralph emit`|as the final non-empty line))/ },
];

const SKILL_TAG = /^<([\w-]+-skill)>$/;
const PROMPT_TAG = '<top-level-prompt>';

/** The parts of a prompt that are worth comparing, in order. What is prose by default is kept where the config has it. */
export function readPromptParts(prompt: string, config: string): readonly string[] {
  const parts: string[] = [];
  let section: Section = { heading: EVERYTHING };
  /** The line that ends a stretch in which no heading counts. */
  let until: string | undefined;
  let skipping = false;
  for (const line of prompt.split('\n')) {
    if (until !== undefined) {
      if (!skipping || line === until) parts.push(line);
      if (line === until) {
        until = undefined;
        skipping = false;
      }
      continue;
    }
    const skill = SKILL_TAG.exec(line)?.[1];
    if (skill !== undefined) {
      until = `</${skill}>`;
      skipping = true;
      parts.push(line);
      continue;
    }
    if (line.endsWith(PROMPT_TAG)) until = '</top-level-prompt>';
    if (line.startsWith('<scratchpad ')) until = '</scratchpad>';
    const next = SECTIONS.find(({ heading }) => heading.test(line));
    if (next !== undefined) section = next;
    const kept = next === undefined ? keepLine(line, section, config) : line;
    if (kept !== undefined) parts.push(kept);
  }
  return parts.filter((part) => part !== '');
}

function keepLine(line: string, { keep, cut }: Section, config: string): string | undefined {
  if (keep?.test(line) || /^(#{1,4} |<)/.test(line)) return line;
  const part = cut?.exec(line)?.[0];
  if (part === undefined) return undefined;
  const rest = line.slice(part.length).trim();
  return rest !== '' && config.includes(rest) ? line : part;
}
