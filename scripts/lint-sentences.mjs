// Finds code that extracts facts from the sentences of a check: `name`, `expected` and `actual` are for people and may
// be reworded. Facts are in `about`, `kind`, `key` and `category`, and in the evidence.
// usage: node scripts/lint-sentences.mjs [file…]     by default all of src/ and scenarios/
// Exits with 1 if it finds something.
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { createTrace, isFunction, isTextType } from './sentence-flow.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const words = (text) => new Set(text.split(' '));

/** String methods that inspect the content. `slice` and `length` only shorten it for output. */
const LOOKING = words(
  'includes startsWith endsWith match matchAll search split replace replaceAll indexOf lastIndexOf charAt charCodeAt codePointAt',
);
/** Methods that search for their argument. */
const SEARCHING = words('includes startsWith endsWith indexOf lastIndexOf has get test exec');
/** A known issue says how its checks break in the words of reports, so that breaking in another way is noticed. */
const EXEMPT = words('src/domain/scenario/known-issue.ts');
const COMPARING = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);

const config = readConfig();
const asked = process.argv.slice(2).map((file) => resolve(file));
const files =
  asked.length > 0 ? asked : config.fileNames.filter((file) => /^(?:src|scenarios)\//.test(shortName(file)));
// Comments say nothing about types, and those in Node's types are half of the text.
const host = { ...ts.createCompilerHost(config.options), jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
const program = ts.createProgram(files, config.options, host);
const checker = program.getTypeChecker();
const trace = createTrace(checker);
const findings = files.flatMap((file) => lintFile(program.getSourceFile(file)));

for (const { file, line, what, code } of findings) console.error(`${file}:${line}: ${what}: ${code}`);
if (findings.length > 0) {
  console.error(
    `\n${findings.length} found. The sentences of a check may be reworded: read about, kind, key or category instead, or the evidence.`,
  );
  process.exitCode = 1;
}

function readConfig() {
  const { config: json, error } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), ts.sys.readFile);
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  return ts.parseJsonConfigFileContent(json, ts.sys, ROOT);
}

function shortName(file) {
  return relative(ROOT, file).replaceAll('\\', '/');
}

function lintFile(source) {
  if (source === undefined) throw new Error('A file to lint does not exist, or is not TypeScript.');
  if (!/\b(?:name|expected|actual)\b/.test(source.text) || EXEMPT.has(shortName(source.fileName))) return [];
  return collect(source, new Map()).map(({ node, what }) => ({
    file: shortName(source.fileName),
    line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    what,
    code: node.getText().replace(/\s+/g, ' ').slice(0, 120),
  }));
}

/** Finds code that inspects a sentence. `given` has the parameters that hold one, if a function is read for its caller. */
function collect(root, given) {
  const found = [];
  const visit = (node) => {
    const what = judge(node, given);
    if (what !== null) found.push({ node, what });
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** Returns what a node wrongly does with a sentence, or null. */
function judge(node, given) {
  const holds = (expression) => expression !== undefined && trace(expression, given) === 'text';
  if (ts.isCallExpression(node)) return judgeCall(node, given, holds);
  if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp')
    return holds(node.arguments?.[0]) ? 'makes a pattern from a sentence' : null;
  if (ts.isSwitchStatement(node)) return holds(node.expression) ? 'branches on a sentence' : null;
  if (ts.isElementAccessExpression(node))
    return holds(node.argumentExpression) ? 'looks up a sentence' : null;
  if (!ts.isBinaryExpression(node)) return null;
  const { left, right, operatorToken } = node;
  if (operatorToken.kind === ts.SyntaxKind.InKeyword) return holds(left) ? 'looks up a sentence' : null;
  if (!COMPARING.has(operatorToken.kind) || isNothing(left) || isNothing(right)) return null;
  return holds(left) || holds(right) ? 'compares a sentence' : null;
}

function judgeCall({ expression: callee, arguments: args }, given, holds) {
  if (ts.isPropertyAccessExpression(callee)) {
    const method = callee.name.text;
    if (!LOOKING.has(method) && !SEARCHING.has(method)) return null;
    const receiver = trace(callee.expression, given);
    if (receiver === 'text' && LOOKING.has(method)) return 'inspects a sentence';
    return SEARCHING.has(method) && (receiver === 'list' || holds(args[0]))
      ? 'searches for a sentence'
      : null;
  }
  // A function that reads a sentence for its caller is inspected one level deep.
  if (given.size > 0) return null;
  const read = args.some((argument, index) => holds(argument) && readsParameter(callee, index));
  return read ? 'passes a sentence to a function that reads it' : null;
}

/** Whether one of our functions inspects this parameter. One that returns a string only formats it. */
function readsParameter(callee, index) {
  const target = functionOf(callee);
  const parameter = target?.parameters[index];
  if (target?.body === undefined || parameter === undefined || !ts.isIdentifier(parameter.name)) return false;
  const signature = checker.getSignatureFromDeclaration(target);
  if (signature === undefined || isTextType(checker.getReturnTypeOfSignature(signature))) return false;
  const symbol = checker.getSymbolAtLocation(parameter.name);
  return collect(target.body, new Map([[symbol, 'text']])).length > 0;
}

/** Finds the function behind a name, if it is one of ours. */
function functionOf(callee) {
  let symbol = ts.isIdentifier(callee) ? checker.getSymbolAtLocation(callee) : undefined;
  if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || declaration.getSourceFile().isDeclarationFile) return undefined;
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  return value !== undefined && isFunction(value) ? value : undefined;
}

/** A test for its mere existence does not read it. */
function isNothing(node) {
  return node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === 'undefined');
}
