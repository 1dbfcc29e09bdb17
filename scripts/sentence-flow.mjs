// Follows the sentences of checks through expressions, for scripts/lint-sentences.mjs.
import ts from 'typescript';

const words = (text) => new Set(text.split(' '));

const SENTENCES = words('name expected actual');

/** The properties that distinguish a check from other things with a name. */
const FORMS = [
  ['name', 'category', 'judge'],
  ['name', 'kind', 'guard'],
  ['name', 'kind', 'killed_by'],
  ['name', 'passed'],
  ['name', 'expected', 'actual'],
  ['passed', 'expected', 'actual'],
];

/** Methods that return the same string, or a part of it. */
const SAME_TEXT = words(
  'trim trimStart trimEnd toLowerCase toUpperCase slice substring normalize padStart padEnd concat toString replace replaceAll',
);
const SAME_LIST = words('filter slice concat sort toSorted reverse toReversed values');
const ONE_OF_LIST = words('join find findLast at pop shift');
const WITH_EACH = words('map flatMap filter find findLast findIndex findLastIndex some every forEach');
const EITHER = new Set([
  ts.SyntaxKind.PlusToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
]);

/**
 * Makes a function that finds what an expression holds: the `text` of a sentence or something derived from it, a `list`
 * of such texts, or null. `given` says what some symbols hold.
 */
export function createTrace(checker) {
  const judged = new Map();

  function trace(node, given) {
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node)
    )
      return trace(node.expression, given);
    if (ts.isIdentifier(node)) return traceSymbol(checker.getSymbolAtLocation(node), given);
    if (ts.isPropertyAccessExpression(node)) return traceProperty(node.name.text, node.expression);
    if (ts.isElementAccessExpression(node)) {
      const { argumentExpression: key, expression } = node;
      if (ts.isStringLiteralLike(key)) return traceProperty(key.text, expression);
      return trace(expression, given) === 'list' ? 'text' : null;
    }
    if (ts.isTemplateExpression(node))
      return node.templateSpans.some(({ expression }) => isText(expression, given)) ? 'text' : null;
    if (ts.isConditionalExpression(node)) return trace(node.whenTrue, given) ?? trace(node.whenFalse, given);
    if (ts.isBinaryExpression(node) && EITHER.has(node.operatorToken.kind))
      return trace(node.left, given) ?? trace(node.right, given);
    if (ts.isArrayLiteralExpression(node))
      return node.elements.some((element) => isListed(element, given)) ? 'list' : null;
    if (ts.isNewExpression(node)) {
      const [argument] = node.arguments ?? [];
      return node.expression.getText() === 'Set' && argument !== undefined ? trace(argument, given) : null;
    }
    return ts.isCallExpression(node) ? traceCall(node, given) : null;
  }

  function isText(node, given) {
    return trace(node, given) === 'text';
  }

  function isListed(element, given) {
    return ts.isSpreadElement(element) ? trace(element.expression, given) === 'list' : isText(element, given);
  }

  function traceCall({ expression: callee, arguments: [first] }, given) {
    if (ts.isIdentifier(callee))
      return callee.text === 'String' && first !== undefined && isText(first, given) ? 'text' : null;
    if (!ts.isPropertyAccessExpression(callee)) return null;
    const method = callee.name.text;
    if (method === 'map' || method === 'flatMap')
      return first !== undefined && isFunction(first) && givesBack(first, given) ? 'list' : null;
    const receiver = trace(callee.expression, given);
    if (receiver === 'text') return SAME_TEXT.has(method) ? 'text' : method === 'split' ? 'list' : null;
    if (receiver !== 'list') return null;
    return ONE_OF_LIST.has(method) ? 'text' : SAME_LIST.has(method) ? 'list' : null;
  }

  /** Whether a callback returns a sentence. */
  function givesBack({ body }, given) {
    if (!ts.isBlock(body)) return trace(body, given) !== null;
    const visit = (node) =>
      !isFunction(node) &&
      ((ts.isReturnStatement(node) &&
        node.expression !== undefined &&
        trace(node.expression, given) !== null) ||
        ts.forEachChild(node, visit) === true);
    return visit(body);
  }

  /** Finds what a variable or parameter holds, by its origin. */
  function traceSymbol(symbol, given) {
    const declaration = symbol?.valueDeclaration;
    if (declaration === undefined) return null;
    const known = given.get(symbol);
    if (known !== undefined) return known;
    // Avoids cycles: while a symbol is being traced, it holds nothing.
    given.set(symbol, null);
    const found = traceDeclaration(declaration, given);
    given.delete(symbol);
    return found;
  }

  function traceDeclaration(declaration, given) {
    if (ts.isBindingElement(declaration)) {
      const { parent, propertyName, name } = declaration;
      if (ts.isObjectBindingPattern(parent)) return traceProperty((propertyName ?? name).getText(), parent);
      const value = parent.parent.initializer;
      return value !== undefined && trace(value, given) === 'list' ? 'text' : null;
    }
    if (ts.isVariableDeclaration(declaration)) {
      const loop = declaration.parent.parent;
      if (ts.isForOfStatement(loop)) return trace(loop.expression, given) === 'list' ? 'text' : null;
      return declaration.initializer === undefined ? null : trace(declaration.initializer, given);
    }
    return ts.isParameter(declaration) ? traceParameter(declaration, given) : null;
  }

  /** Handles the parameter of a callback that is called with each text of a list. */
  function traceParameter(parameter, given) {
    const callback = parameter.parent;
    const call = callback.parent;
    if (!isFunction(callback) || callback.parameters[0] !== parameter) return null;
    if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return null;
    const { expression: receiver, name } = call.expression;
    return WITH_EACH.has(name.text) && trace(receiver, given) === 'list' ? 'text' : null;
  }

  function traceProperty(property, owner) {
    return SENTENCES.has(property) && isCheck(checker.getTypeAtLocation(owner)) ? 'text' : null;
  }

  /** Whether a type looks like a check: what a scenario declares, what an attempt or a report records, or a verdict. */
  function isCheck(type) {
    const known = judged.get(type);
    if (known !== undefined) return known;
    const bare = checker.getNonNullableType(type);
    const answer = bare.isUnion() ? bare.types.some(isCheck) : hasForm(bare);
    judged.set(type, answer);
    return answer;
  }

  function hasForm(type) {
    const typeOf = (property) => {
      const symbol = type.getProperty(property);
      return symbol && checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
    };
    const shaped = FORMS.some((form) => form.every((property) => type.getProperty(property) !== undefined));
    const texts = [...SENTENCES].map(typeOf).filter((found) => found !== undefined);
    return (shaped || isCheckCategory(typeOf('category'))) && texts.every(isTextType);
  }

  return trace;
}

/** A part of a check is recognizable by its category: nothing else has these values. */
function isCheckCategory(type) {
  const values = type?.isUnion() ? type.types : [];
  return values.some((value) => value.isStringLiteral() && value.value === 'TerminationReason');
}

export function isTextType(type) {
  return (type.flags & ts.TypeFlags.StringLike) !== 0;
}

export function isFunction(node) {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node);
}
