type Importer = (url: string) => Promise<Record<string, unknown>>;

let importer: Importer = (url) => import(url);

/** Imports a module of the user. */
export function importModule(url: string): ReturnType<Importer> {
  return importer(url);
}

/** Sets the function that imports. The program compiled to bytecode cannot import; the script that starts it can. */
export function importThrough(other: Importer): void {
  importer = other;
}
