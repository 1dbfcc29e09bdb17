/** The ways in which honest agents differ, as `prove` plays them. A scenario must pass with each of them. */
export const VARIANTS = {
  bold: 'puts its answers in bold',
  code: 'puts its answers in backticks',
  fence: 'puts its answers in a code fence',
  preface: 'says a sentence before each answer',
  afterword: 'says a sentence after each answer',
  'grouped-digits': 'writes 1,201 for 1201',
  'letter-case': 'writes its words in another letter case',
  notebook: 'writes a heading and more notes into the scratchpad',
  'other-tool': 'writes and reads files with shell commands',
  'more-reads': 'looks around before it works',
  commit: 'commits its work to git',
  'own-task': 'opens a task and closes it',
  'own-memory': 'stores a memory of its own',
  'longer-payload': 'puts more into the payload of an event than it has to',
  'speaks-too-late': 'says its words only after it has published an event, when Ralph ends it',
  'one-more-iteration': 'looks around in one iteration and works in the next, where the limit allows',
  newline: 'ends each file with a newline',
  'no-newline': 'ends no file with a newline',
} as const satisfies Readonly<Record<string, string>>;
export type VariantName = keyof typeof VARIANTS;

/**
 * Variants that are played together in one run, so that a scenario needs three runs at most. Each bundle holds one way
 * to decorate an answer.
 */
export const BUNDLES = [
  ['bold', 'preface', 'grouped-digits', 'notebook', 'newline'],
  ['code', 'afterword', 'letter-case', 'other-tool', 'more-reads', 'one-more-iteration'],
  ['fence', 'commit', 'own-task', 'own-memory', 'longer-payload', 'speaks-too-late', 'no-newline'],
] as const satisfies readonly (readonly VariantName[])[];
