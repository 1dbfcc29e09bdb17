import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A pattern in the sources. */
export interface FoundPattern {
  readonly file: string;
  readonly line: number;
  readonly pattern: RegExp;
}

/** Where patterns are built at run time. */
export interface BuiltPattern {
  readonly file: string;
  readonly line: number;
}

/** Finds the patterns in a folder of the sources, except in the files that `skips` names. */
export function findPatterns(
  folder: string,
  skips: (file: string) => boolean,
): { readonly written: FoundPattern[]; readonly built: BuiltPattern[] } {
  const written: FoundPattern[] = [];
  const built: BuiltPattern[] = [];
  for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (!file.endsWith('.ts') || skips(file)) continue;
    const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.ES2023);
    const visit = (node: ts.Node): void => {
      const line = source.getLineAndCharacterOfPosition(node.pos).line + 1;
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        written.push({ file, line, pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
      } else if (
        ts.isNewExpression(node) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === 'RegExp'
      )
        built.push({ file, line });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { written, built };
}
