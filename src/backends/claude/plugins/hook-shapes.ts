import { asRecord } from './files.js';

/** Events whose hooks may deny something. Claude Code 2.1.325 loads nothing of a plugin if one of theirs is malformed. */
const GUARDS: readonly string[] = ['PreToolUse', 'PermissionRequest'];

const WHY =
  'a PreToolUse/PermissionRequest hook that cannot be loaded may be what guards the permissions declared beside it, so nothing it sits in is applied until the entry is fixed or removed';

/** Returns what is wrong with a value, or null. */
type Shape = (value: unknown) => string | null;

const text: Shape = (value) =>
  typeof value === 'string' ? null : `Invalid input: expected string, received ${kindOf(value)}`;
const flag: Shape = (value) =>
  typeof value === 'boolean' ? null : `Invalid input: expected boolean, received ${kindOf(value)}`;
const texts: Shape = (value) =>
  Array.isArray(value)
    ? (value.map(text).find((mistake) => mistake !== null) ?? null)
    : `Invalid input: expected array, received ${kindOf(value)}`;
const seconds: Shape = (value) =>
  typeof value !== 'number'
    ? `Invalid input: expected number, received ${kindOf(value)}`
    : value > 0
      ? null
      : 'Too small: expected number to be >0';
const address: Shape = (value) =>
  text(value) ?? (typeof value === 'string' && URL.canParse(value) ? null : 'Invalid URL');
const shell: Shape = (value) =>
  value === 'bash' || value === 'powershell' ? null : 'Invalid option: expected one of "bash"|"powershell"';
const record: Shape = (value) =>
  asRecord(value) === null ? `Invalid input: expected record, received ${kindOf(value)}` : null;

interface HandlerShape {
  readonly required: Readonly<Record<string, Shape>>;
  readonly optional: Readonly<Record<string, Shape>>;
}

const ANY = { if: text, timeout: seconds, statusMessage: text, once: flag };

/** The kinds of handlers. Other keys do not matter. */
const HANDLERS: Readonly<Record<string, HandlerShape>> = {
  command: {
    required: { command: text },
    optional: { ...ANY, shell, args: texts, async: flag, asyncRewake: flag },
  },
  prompt: { required: { prompt: text }, optional: { ...ANY, model: text } },
  agent: { required: { prompt: text }, optional: { ...ANY, model: text } },
  http: { required: { url: address }, optional: { ...ANY, headers: record, allowedEnvVars: texts } },
  mcp_tool: { required: { server: text, tool: text }, optional: { ...ANY, input: record } },
};

/** Returns what is wrong with the hooks that may deny something, as one sentence, or null. */
export function findGuardMistake(events: unknown): string | null {
  const groups = asRecord(events);
  const mistakes =
    groups === null
      ? ['hooks: must be an object mapping event names to matcher arrays']
      : GUARDS.flatMap((event) => findEventMistakes(`hooks.${event}`, groups[event]));
  return mistakes.length === 0 ? null : `${mistakes.join('; ')} — ${WHY}`;
}

function findEventMistakes(path: string, groups: unknown): string[] {
  if (groups === undefined || groups === null) return [];
  if (!Array.isArray(groups)) return [`${path}: must be an array of matchers; received ${describe(groups)}`];
  return groups.flatMap((group, index) => {
    const place = `${path}.${index}`;
    const mistake = findGroupMistake(group);
    if (mistake !== null) return [`${place}: ${mistake}`];
    const hooks: unknown = asRecord(group)?.hooks;
    return (Array.isArray(hooks) ? hooks : []).flatMap((handler, at) => {
      const wrong = findHandlerMistake(handler);
      return wrong === null ? [] : [`${place}.hooks.${at}: ${wrong}`];
    });
  });
}

/** Returns what is wrong with a matcher and its list of handlers, or null. */
export function findGroupMistake(group: unknown): string | null {
  const read = asRecord(group);
  if (read === null) return `Hook matcher must be an object; received ${describe(group)}`;
  const matcher = read.matcher === undefined ? null : text(read.matcher);
  if (matcher !== null) return `Invalid hook matcher (matcher: ${matcher})`;
  return Array.isArray(read.hooks)
    ? null
    : `Hook matcher "hooks" must be an array of hook entries; received ${describe(read.hooks)}`;
}

/** Returns what is wrong with a handler, or null. */
export function findHandlerMistake(value: unknown): string | null {
  const handler = asRecord(value);
  if (handler === null) return `Hook entry must be an object; received ${describe(value)}`;
  const { type } = handler;
  if (type === undefined) return 'Hook entry has no "type"';
  const shape = typeof type === 'string' && Object.hasOwn(HANDLERS, type) ? HANDLERS[type] : undefined;
  if (shape === undefined) return `Unknown hook type ${JSON.stringify(type)}`;
  const given = Object.entries(shape.optional).filter(([key]) => handler[key] !== undefined);
  const mistakes = [...Object.entries(shape.required), ...given].flatMap(([key, test]) => {
    const mistake = test(handler[key]);
    return mistake === null ? [] : [`${key}: ${mistake}`];
  });
  return mistakes.length === 0 ? null : `Invalid ${String(type)} hook (${mistakes.join('; ')})`;
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function describe(value: unknown): string {
  const kind = kindOf(value);
  return kind === 'null' || kind === 'undefined' ? kind : `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
