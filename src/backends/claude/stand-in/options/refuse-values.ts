/** Returns what the real program says about the first wrong value of a call, or null. */
export function refuseValues(words: readonly string[], values: ReadonlyMap<string, string>): string | null {
  const label = LABELS[words.at(-1) ?? ''];
  // Behind another option that needs a value, it is that value.
  const isValue = words.includes('--') || LABELS[words.at(-2) ?? ''] !== undefined;
  if (label !== undefined && !isValue) return `error: option '${label}' argument missing`;
  return refuseChoices(values) ?? refuseTexts(values);
}

/** Checks values that must be one of a few. */
function refuseChoices(values: ReadonlyMap<string, string>): string | null {
  for (const [name, label, listed, others = []] of CHOICES) {
    const value = values.get(name);
    if (value === undefined || [...listed, ...others].includes(value)) continue;
    return `error: option '${label}' argument '${value}' is invalid. Allowed choices are ${listed.join(', ')}.`;
  }
  return null;
}

const MODES = ['acceptEdits', 'auto', 'bypassPermissions', 'manual', 'dontAsk', 'plan'];

const SWITCHES = ['true', 'false', '1', '0', 'yes', 'no', 'on', 'off'];

/** The option, its label in the message, the values that the message lists, and others that are accepted. */
const CHOICES: readonly [string, string, readonly string[], (readonly string[])?][] = [
  ['--permission-mode', '--permission-mode <mode>', MODES, ['default']],
  ['--output-format', '--output-format <format>', ['text', 'json', 'stream-json']],
  ['--input-format', '--input-format <format>', ['text', 'stream-json']],
  ['--system-prompt-snapshot', '--system-prompt-snapshot <on|off>', ['on', 'off']],
  ['--permission-prompts', '--permission-prompts <target>', ['host', 'none']],
  ['--prompt-suggestions', '--prompt-suggestions [value]', SWITCHES],
];

/** Options that need a value, as the message about a missing one calls them. */
const LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['--add-dir <directories...>', '--agent <agent>', '--agents <json-or-file>', '--betas <betas...>'],
    ...['--allowedTools, --allowed-tools <tools...>', '--disallowedTools, --disallowed-tools <tools...>'],
    ...[
      '--append-system-prompt <prompt>',
      '--append-system-prompt-file <file>',
      '--autocompact <auto|tokens>',
    ],
    ...['--debug-file <path>', '--effort <level>', '--environment <environment_id>', '--file <specs...>'],
    ...[
      '--fallback-model <model>',
      '--input-format <format>',
      '--json-schema <schema>',
      '--max-turns <turns>',
    ],
    ...['--max-budget-usd <amount>', '--mcp-config <configs...>', '--model <model>', '-n, --name <name>'],
    ...['--output-format <format>', '--permission-mode <mode>', '--permission-prompt-tool <tool>'],
    ...['--permission-prompts <target>', '--plugin-dir <path>', '--plugin-url <url>', '--session-id <uuid>'],
    ...['--remote-control-session-name-prefix <prefix>', '--setting-sources <sources>', '--tools <tools...>'],
    ...['--settings <file-or-json>', '--system-prompt <prompt>', '--system-prompt-file <file>'],
    '--system-prompt-snapshot <on|off>',
  ].map((label) => [/--[\w-]+/.exec(label)?.[0] ?? '', label]),
);

/** Checks values that are not one of a few choices. */
function refuseTexts(values: ReadonlyMap<string, string>): string | null {
  const turns = values.get('--max-turns');
  if (turns !== undefined && Number.isNaN(Number(turns))) {
    return `error: option '--max-turns <turns>' argument '${turns}' is invalid. must be a number`;
  }
  const window = values.get('--autocompact');
  if (window !== undefined && !/^(?:auto|[1-9]\d{2}k?|[1-9]\d{5}|1M|1000000)$/.test(window)) {
    return `error: option '--autocompact <auto|tokens>' argument '${window}' is invalid. It must be 'auto', or between 100k and 1M (e.g. 500k, 200000, or 200 as shorthand)`;
  }
  const source = (values.get('--setting-sources') ?? '')
    .split(',')
    .map((name) => name.trim())
    .find((name) => !['', 'user', 'project', 'local'].includes(name));
  if (source !== undefined) {
    return `Error processing --setting-sources: Invalid setting source: ${source}. Valid options are: user, project, local`;
  }
  return null;
}
