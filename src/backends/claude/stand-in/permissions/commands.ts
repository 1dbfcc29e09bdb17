/** What Claude Code 2.1.325 knows about shell commands. */

/** Commands that read the files in their operands, and how the refusal to leave the workspace calls that. */
export const FILE_READERS: Readonly<Record<string, string>> = {
  cd: 'change directories to',
  ls: 'list files in',
  find: 'search files in',
  cat: 'concatenate files from',
  head: 'read the beginning of files from',
  tail: 'read the end of files from',
  sort: 'sort contents of files from',
  uniq: 'filter duplicate lines from files in',
  wc: 'count lines/words/bytes in files from',
  cut: 'extract columns from files in',
  paste: 'merge files from',
  column: 'format files from',
  file: 'examine file types in',
  stat: 'read file stats from',
  diff: 'compare files from',
  cmp: 'compare files from',
  comm: 'compare files from',
  awk: 'process text from files in',
  strings: 'extract strings from files in',
  hexdump: 'display hex dump of files from',
  od: 'display octal dump of files from',
  base64: 'encode/decode files from',
  nl: 'number lines in files from',
  grep: 'search for patterns in files from',
  rg: 'search for patterns in files from',
  jq: 'process JSON from files in',
  sha256sum: 'compute SHA-256 checksums for files in',
  sha1sum: 'compute SHA-1 checksums for files in',
  md5sum: 'compute MD5 checksums for files in',
  tac: 'read files (reversed) from',
  rev: 'read files (reversed lines) from',
  fold: 'wrap lines of files from',
  fmt: 'reformat files from',
  pr: 'paginate files from',
  expand: 'convert tabs in files from',
  unexpand: 'convert spaces in files from',
  tsort: 'sort files from',
  egrep: 'search for patterns in files from',
  fgrep: 'search for patterns in files from',
  gawk: 'process text from files in',
  mawk: 'process text from files in',
  nawk: 'process text from files in',
};

/** File readers whose first operand is not a file. */
export const PATTERN_FIRST = ['grep', 'egrep', 'fgrep', 'rg', 'jq', 'awk', 'gawk', 'mawk', 'nawk'];

/** Commands that change the files in their operands; allowed inside the workspace if edits are accepted. */
export const FILE_WRITERS = ['touch', 'mkdir', 'rm', 'rmdir', 'mv', 'cp', 'sed'];

/** Changes files, but is not allowed with the other edits. */
export const UNACCEPTED_WRITERS = ['tee'];

/** Commands that run their arguments as code, so that no rule for a prefix can allow them. */
export const EVALUATORS = [
  ...['eval', 'exec', 'source', '.', 'trap', 'alias', 'let', 'hash', 'coproc', 'enable', 'bind', 'complete'],
  ...['mapfile', 'readarray', 'nocorrect'],
];

/** Builtins of other shells that change how commands are read. */
export const FOREIGN_BUILTINS = ['shopt', 'zmodload', 'emulate', 'sysopen', 'ztcp', 'autoload'];

/** Programs that start others in a way that cannot be seen. */
export const STARTERS = [
  ...['setsid', 'ionice', 'unshare', 'nsenter', 'watch', 'script'],
  ...['flock', 'strace', 'ltrace', 'chrt', 'taskset'],
];

/** Commands that only read, whatever their options. */
export const READERS = [
  ...[
    'ls',
    'cat',
    'head',
    'tail',
    'wc',
    'find',
    'cut',
    'diff',
    'basename',
    'dirname',
    'seq',
    'sleep',
    'tr',
    'echo',
  ],
  ...[
    'od',
    'hexdump',
    'strings',
    'rev',
    'tac',
    'nl',
    'paste',
    'comm',
    'column',
    'expand',
    'fold',
    'fmt',
    'realpath',
  ],
  ...[
    'readlink',
    'type',
    'cmp',
    'pr',
    'tsort',
    'id',
    'uname',
    'df',
    'du',
    'free',
    'uptime',
    'locale',
    'groups',
  ],
  ...['nproc', 'expr', 'true', 'false', 'cal', 'unexpand', 'numfmt', 'stat'],
];

/** Commands that only read if they have no other options than these letters and words. */
export const READERS_BY_OPTION: Readonly<
  Record<
    string,
    {
      readonly letters: string;
      readonly words: readonly string[];
      /** Letters with a value, which must be a word of its own. */
      readonly apart?: string;
    }
  >
> = {
  grep: {
    apart: 'ef',
    letters: 'abcdefhilmnoqrsuvwxzDEFGHILPRTUVZABC',
    words: [
      '--help',
      '--version',
      '--color',
      '--color=auto',
      '--recursive',
      '--count',
      '--ignore-case',
      '--quiet',
      ...['--include=', '--exclude=', '--exclude-dir=', '--color=', '--max-count=', '--context=', '--file='],
      ...['--regexp=', '--line-number', '--fixed-strings', '--only-matching'],
    ],
  },
  sort: {
    letters: 'bcdfghimnrstuzCMRSV',
    words: [
      ...['--help', '--version', '--reverse', '--unique', '--ignore-case', '--stable', '--check'],
      // With its value in the same word, `-k` needs a rule.
      ...['-k', '--key=', '--field-separator=', '--parallel=', '--numeric-sort'],
    ],
  },
  file: { letters: 'bchiklnprsvFL', words: ['--help', '--version', '--mime', '--mime-type', '--brief'] },
  which: { letters: 'apsvwV', words: ['--help', '--version', '--all'] },
  rg: {
    apart: 'et',
    letters: 'nilceFAtuwvomSL',
    words: ['--hidden', '--no-ignore', '--json', '--type-list', '--max-depth=', '--color='],
  },
  md5sum: { letters: 'bctz', words: ['--check', '--quiet', '--tag'] },
  sha1sum: { letters: '', words: [] },
  sha256sum: { letters: 'bc', words: [] },
  base64: { letters: 'diD', words: ['-w', '--decode', '--wrap='] },
  printf: { letters: '', words: [] },
  man: { letters: '', words: [] },
  tree: {
    letters: '',
    words: ['-L', '-a', '-d', '-I', '-P', '-f', '-h', '-J', '-C', '--dirsfirst', '--gitignore'],
  },
};

/** Commands that only read if nothing follows them. */
export const LONE_READERS = ['pwd', 'whoami', 'arch', 'history'];

/** Commands that only read if their arguments look like this, written with single spaces. */
export const READERS_BY_SHAPE: Readonly<Record<string, RegExp>> = {
  date: /^(?:-[uIR]|--utc|--rfc-email|--rfc-3339=\w+|--date=\S+|-d \S+|\+\S*|$)(?: \+\S*)?$/,
  uniq: /^(?:-[cduiz]|--count|--group|-[fsw] \d+)?$/,
  hostname: /^(?:-[fisIdA])?$/,
  ps: /^(?:aux|axu|-ef|-e|-A|-f|--forest|-[pu] \w+)?$/,
  xargs: /^(?:(?:-[0tr] )?echo(?: [^-\s]\S*)*)?$/,
  node: /^(?:--version|-v)$/,
  python: /^--version$/,
  python3: /^--version$/,
};

/** Claude Code knows these only by their bare names, without variables before them. */
export const AS_WRITTEN = ['[', 'jq', 'uniq', 'hostname'];

/** A program that starts others cannot start what only the shell knows. */
export const SHELL_ONLY = ['cd', 'type', 'history'];
