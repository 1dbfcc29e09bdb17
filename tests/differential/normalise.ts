/** What may differ between two runs of the very same program, or is prose that the stand-in has in its own words. */
export interface Normalisation {
  readonly field: string;
  readonly because: string;
}

interface Replacement extends Normalisation {
  readonly pattern: RegExp;
  readonly by: string;
}

const REPLACEMENTS: readonly Replacement[] = [
  {
    field: 'times as RFC 3339, in records and log lines',
    because: 'the clock; ralph writes nine digits of a second, Node three',
    pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g,
    by: '<time>',
  },
  {
    field: 'time stamps in loop ids and names of events files',
    because: 'the clock',
    pattern: /\b\d{8}-\d{6}\b/g,
    by: '<stamp>',
  },
  {
    field: 'names of diagnostics folders',
    because: 'the clock',
    pattern: /\b\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\b/g,
    by: '<stamp>',
  },
  {
    field: 'dates of memories',
    because: 'midnight',
    pattern: /(created"?: "?)\d{4}-\d\d-\d\d/g,
    by: '$1<date>',
  },
  {
    field: 'durations: dur=, total=, duration=, Elapsed, elapsed, Duration, duration_ms',
    because: 'speed',
    pattern:
      /((?:dur|total|duration)=|Elapsed: +|Duration:\**\s+|duration_ms\\?":|iterations in )[\d.]+(?:ms|s|m(?: \d+s)?)?|\d+s(?= elapsed)/g,
    by: '$1<time>',
  },
  {
    field: 'names of temporary prompt files',
    because: 'random',
    pattern: /\/[\w/.-]*\/\.tmp\w+/g,
    by: '<temp file>',
  },
  { field: 'process ids', because: 'random', pattern: /("?pid"?[:=] ?|\bkill )\d+/g, by: '$1<pid>' },
  {
    field: 'commit hashes',
    because: 'they contain the time',
    pattern: /\b[0-9a-f]{40}\b|\b[0-9a-f]{7}(?=: )/g,
    by: '<commit>',
  },
  {
    field: 'times of day, in tables and notes',
    because: 'the clock',
    pattern: /\b(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d( UTC)?/g,
    by: '<time>',
  },
  {
    field: 'names of log files',
    because: 'the clock and the process id',
    pattern: /ralph-<stamp>-\d+-\d+\.log/g,
    by: 'ralph-<stamp>.log',
  },
  {
    field: 'advice after the first sentence of a refusal or recovery',
    because: 'prose',
    pattern: /((?:\w+ rejected|Persistent mode|RECOVERY|Recovery): .*?\.) [^"\n]*/g,
    by: '$1',
  },
  {
    field: 'what is wrong with a malformed line of the events file',
    because: 'the words of a JSON parser',
    pattern: /(event\.malformed - Line \d+: ).*/g,
    by: '$1…',
  },
  {
    field: 'what is wrong with metadata of a hook that are no JSON',
    because: 'the words of a JSON parser',
    pattern: /(mutation stdout is not valid JSON: ).*/g,
    by: '$1…',
  },
  {
    field: 'what is wrong with a skipped line of a stream',
    because: 'the words of a JSON parser',
    pattern: /(Skipping malformed .* \(error: ).*(?=\)$)/gm,
    by: '$1…',
  },
];

/** Everything that is not compared as it stands; printed at the end of the differential. */
export const NORMALISATIONS: readonly Normalisation[] = [
  ...REPLACEMENTS,
  { field: 'absolute paths of workspace, home and ralph', because: 'every run has its own' },
  {
    field: 'ids of memories and tasks',
    because: 'time and chance; numbered in the order of their appearance, so that references stay comparable',
  },
  { field: 'what is wrong with broken YAML', because: 'the words of a YAML parser; dropped' },
  { field: 'git: diagnostics', because: 'written to at any time' },
  {
    field: 'number of diagnostics folders',
    because:
      'Ralph names the folder of a run after the second, twice: two share its files if the second changes in between',
  },
  {
    field: 'log lines of level INFO and DEBUG',
    because: 'no program reads them; dropped, but for those that a case is about',
  },
  {
    field: 'text of log lines of level WARN',
    because: 'prose; where they come from is compared, and the text where a case is about it',
  },
  {
    field: 'prompt: sentences that only an agent reads',
    because: 'prose; headings, tags, tables, lists and everything that came from the case are compared',
  },
  { field: 'prompt: bodies of the built-in skills', because: 'prose; their tags and order are compared' },
  {
    field: 'prompt: text of the default guardrails',
    because: 'prose; their numbers, and guardrails of the case, are compared',
  },
];

/** The places of one run that must not show. */
export interface Places {
  readonly workspace: string;
  readonly home: string;
  readonly ralph: string;
  /** The case as text: an id that it names itself is not chance. */
  readonly given: string;
}

/** Takes what is accidental out of the texts of one run; ids are numbered across all of them. */
export class Normaliser {
  readonly #places: readonly (readonly [string, string])[];
  readonly #given: string;
  readonly #ids = new Map<string, string>();

  constructor({ workspace, home, ralph, given }: Places) {
    this.#given = given;
    this.#places = [
      [workspace, '<workspace>'],
      [home, '<home>'],
      [ralph, '<ralph>'],
    ];
  }

  text(text: string): string {
    const placed = this.#places.reduce((current, [path, name]) => current.replaceAll(path, name), text);
    const numbered = placed.replace(/\b(mem|task)-\d+-[0-9a-f]{4}\b/g, (id, kind: string) =>
      this.#numberId(id, kind),
    );
    return REPLACEMENTS.reduce((current, { pattern, by }) => current.replace(pattern, by), numbered);
  }

  /** The names of the files that a case left behind. */
  files(names: readonly string[]): readonly string[] {
    const texts = names.map((name) => this.text(name)).sort();
    return texts.filter((text, index) => !text.includes('.ralph/diagnostics/') || text !== texts[index - 1]);
  }

  /** The log lines that a case is about. */
  log(text: string, pattern: RegExp): readonly string[] {
    return this.text(text)
      .split('\n')
      .filter((line) => /^<time> +[A-Z]+ /.test(line) && pattern.test(line));
  }

  /** What a reader of the screen sees. */
  screen(text: string): readonly string[] {
    return this.text(text)
      .split('\n')
      .filter((line) => !/^<time> +(INFO|DEBUG|TRACE) /.test(line))
      .map((line) => line.replace(/^<time> +WARN (\S+) .*$/, 'WARN $1'));
  }

  #numberId(id: string, kind: string): string {
    if (this.#given.includes(id)) return id;
    const known = this.#ids.get(id);
    if (known !== undefined) return known;
    const count = [...this.#ids.keys()].filter((other) => other.startsWith(kind)).length;
    const name = `<${kind} ${count + 1}>`;
    this.#ids.set(id, name);
    return name;
  }
}
