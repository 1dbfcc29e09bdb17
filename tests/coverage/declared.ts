import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';

const TESTS = fileURLToPath(new URL('../', import.meta.url));

/** A test that says what it holds. */
interface Declared {
  readonly id: string;
  /** Relative to tests/. */
  readonly file: string;
  readonly name: string;
}

/** Finds the calls of `covers` in the tests, each with the test around it. */
export function listDeclared(): Declared[] {
  return readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => {
      const text = readFileSync(`${TESTS}${file}`, 'utf8');
      return text.includes('covers(') ? findIn(file, text) : [];
    });
}

function findIn(file: string, text: string): Declared[] {
  const found: Declared[] = [];
  const visit = (node: ts.Node, name: string | null): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'covers') {
      if (name === null) throw new Error(`tests/${file}: expected covers(…) inside a test`);
      found.push(...node.arguments.filter(ts.isStringLiteral).map(({ text: id }) => ({ id, file, name })));
    }
    ts.forEachChild(node, (child) => visit(child, nameOf(node) ?? name));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), null);
  return found;
}

/** The name of a test or a group of tests; null for any other node. */
function nameOf(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) || !/^(?:test|it|describe)\b/.test(node.expression.getText())) return null;
  const [first] = node.arguments;
  return first !== undefined && ts.isStringLiteralLike(first) ? first.text : null;
}
