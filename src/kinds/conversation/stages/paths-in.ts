const PATH =
  /(?<![\w/:.@-])(?:[\w.-]+\/)*[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|css|scss|html?|json|ya?ml|toml|md|sh|txt)(?![\w/-])/g;

/** Finds the relative paths of source files in a text, each once. */
export function pathsIn(text: string): string[] {
  return [...new Set([...text.matchAll(PATH)].map(([path]) => path))];
}
