/** How a backend takes its prompt: on stdin, as its last argument, or in a file named by it. */
export type BackendKind = 'stdin' | 'arg' | 'file';

/** What the backend does when it is called once: lines of shell. */
export type Turn = readonly string[];

export interface AgentSettings {
  readonly kind: BackendKind;
  readonly turns: readonly Turn[];
  /** Where each call leaves its arguments and its prompt. */
  readonly seen: string;
}

/** The text of the prompt argument when the prompt itself was too long for one. */
const IN_FILE = 'Please read and execute the task in ';

/** The scripted backend, in plain shell because it is started hundreds of times. */
export function renderAgent({ kind, turns, seen }: AgentSettings): string {
  return `#!/bin/sh
seen=${quote(seen)}
n=0
[ -f "$seen/count" ] && read n < "$seen/count"
n=$((n+1))
echo $n > "$seen/count"
printf '%s\\0' "\${0##*/}" "$@" > "$seen/call-$n"
${READ_PROMPT[kind]}
case $n in
${turns.map((turn, index) => renderTurn(turn, index + 1 === turns.length ? '*' : String(index + 1))).join('')}esac
`;
}

const READ_PROMPT: Record<BackendKind, string> = {
  stdin: 'cat > "$seen/prompt-$n"',
  arg: `for last in "$@"; do :; done
case "$last" in
${quote(IN_FILE)}*) cat "\${last#${IN_FILE}}" > "$seen/prompt-$n" ;;
*) printf %s "$last" > "$seen/prompt-$n" ;;
esac`,
  file: 'for last in "$@"; do :; done\ncat "$last" > "$seen/prompt-$n"',
};

function renderTurn(turn: Turn, pattern: string): string {
  return `${pattern})\n${turn.length === 0 ? ':' : turn.join('\n')}\n;;\n`;
}

/** Prints lines. */
export function says(...lines: readonly string[]): string {
  return lines.map((line) => `printf '%s\\n' ${quote(line)}`).join('\n');
}

/** Prints an assistant message as Claude Code does, one text block for each text. */
export function saysAsClaude(...texts: readonly string[]): string {
  const content = texts.map((text) => ({ type: 'text', text }));
  return says(JSON.stringify({ type: 'assistant', message: { content } }));
}

/** Publishes an event the way agents are told to. */
export function emits(topic: string, payload?: string): string {
  return `ralph emit ${[topic, ...(payload === undefined ? [] : [payload])].map(quote).join(' ')}`;
}

/** Appends a raw line to the events file. */
export function appendsEvent(line: string): string {
  return `printf '%s\\n' ${quote(line)} >> "$RALPH_EVENTS_FILE"`;
}

/** An event written into the output as a tag. */
export function tags(topic: string, payload: string): string {
  return says(`<event topic="${topic}">${payload}</event>`);
}

/** Writes a file of the workspace. */
export function writes(path: string, content: string): string {
  return `mkdir -p "$(dirname ${quote(path)})"\nprintf %s ${quote(content)} > ${quote(path)}`;
}

/** Says the default promise, so that the loop ends. */
export const completes: Turn = [says('LOOP_COMPLETE')];

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
