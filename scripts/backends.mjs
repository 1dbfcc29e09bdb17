// Generates code from the registry of backends (src/domain/backends.ts): stand-in programs and src/backends/folders.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const REGISTRY = 'src/domain/backends.ts';
/** The generated source file that imports every backend. */
export const FOLDERS = 'src/backends/folders.ts';

/** Reads the registry, as `{ id, command }` for each backend. */
export async function readRegistry(esbuild, root) {
  const text = readFileSync(join(root, REGISTRY), 'utf8');
  const { code } = await esbuild.transform(text, { loader: 'ts', sourcefile: REGISTRY, logLevel: 'silent' });
  const { BACKEND_FACTS } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return Object.entries(BACKEND_FACTS).map(([id, { command }]) => ({ id, command }));
}

/** Writes that file if it does not match the registry. */
export function writeFolders(root, backends) {
  const ids = backends.map(({ id }) => id);
  const text = [
    `// Written by the build from ${REGISTRY}.`,
    ...ids.toSorted().map((id) => `import { ${id} } from './${id}/backend.js';`),
    '',
    '/** The definition of every backend. */',
    'export const FOLDERS = {',
    ...ids.map((id) => `  ${id},`),
    '};',
    '',
  ].join('\n');
  const path = join(root, FOLDERS);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** Makes an esbuild plugin for entries such as `stand-in:claude`: the program that runs the stand-in of a backend. */
export function standInPrograms(root) {
  return {
    name: 'stand-in-programs',
    setup(build) {
      const namespace = 'stand-in';
      build.onResolve({ filter: /^stand-in:/ }, ({ path }) => ({
        path: path.slice('stand-in:'.length),
        namespace,
      }));
      build.onLoad({ filter: /./, namespace }, ({ path: id }) => ({
        contents: [
          "import { runAsProgram } from './src/agent/stand-in/run-stand-in.ts';",
          `import { ${id}StandIn } from './src/backends/${id}/stand-in/stand-in.ts';`,
          `void runAsProgram(${id}StandIn);`,
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
}
