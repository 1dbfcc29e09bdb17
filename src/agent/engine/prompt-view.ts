/** A pending event as Ralph lists it in the prompt. */
interface PendingEvent {
  readonly topic: string;
  readonly payload: string;
}

/** What a scripted agent learns from the prompt that Ralph really sent. */
export interface PromptView {
  readonly text: string;
  /** Names (not ids) of the active hats; empty when Ralph itself coordinates. */
  readonly hats: readonly string[];
  readonly events: readonly PendingEvent[];
  readonly objective: string;
  readonly memories: string;
  readonly scratchpadPath: string;
  /** How the prompt asks the agent to declare completion; null if a hat is active, because then it must not. */
  readonly completion: { readonly promise: string; readonly by: 'text' | 'event' } | null;
}

/** Splits Ralph's prompt at its headings, which are the same in every 2.x release we know. */
export function readPrompt(text: string): PromptView {
  return {
    text,
    hats: [...section(text, '## ACTIVE HAT').matchAll(/^### (.+) Instructions$/gm)].map(
      (match) => match[1] ?? '',
    ),
    events: [...section(text, '## PENDING EVENTS').matchAll(EVENT)].map((match) => ({
      topic: match[1] ?? '',
      payload: (match[2] ?? '').trim(),
    })),
    objective: readObjective(text),
    memories: section(text, '# Memories'),
    scratchpadPath: /`([^`\s]*scratchpad[^`\s]*\.md)`/.exec(text)?.[1] ?? '.ralph/agent/scratchpad.md',
    completion: readCompletion(section(text, '## DONE')),
  };
}

/** `Event: <topic> - <payload>`; a payload extends to the next event or the end of the section. */
const EVENT = /^Event: (\S+) - ([\s\S]*?)(?=^Event: |(?![\s\S]))/gm;

/** Returns the text from a heading to the next heading of its level or above. Ralph does not nest them. */
function section(text: string, heading: string): string {
  const start = text.startsWith(`${heading}\n`) ? 0 : text.indexOf(`\n${heading}\n`);
  if (start < 0) return '';
  const body = text.slice(start).trimStart().slice(heading.length);
  const level = /^#+/.exec(heading)?.[0].length ?? 1;
  const end = body.search(new RegExp(`^(#{1,${level}} |### 0a\\. |<ralph-tools)`, 'm'));
  return end < 0 ? body : body.slice(0, end);
}

function readObjective(text: string): string {
  const match = /^## OBJECTIVE\n\n[^\n]*\n\n> ([\s\S]*?)\n\nYou MUST keep/m.exec(text);
  return match?.[1] ?? '';
}

function readCompletion(done: string): PromptView['completion'] {
  const promise = /`([^`\n]+)`/.exec(done)?.[1];
  if (promise === undefined) return null;
  return { promise, by: /completion event/.test(done) ? 'event' : 'text' };
}
