import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** What Surefire's schema of test reports (version 3.0) says of an element: its attributes, and its children in order. */
interface Rule {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Child elements in the order that the schema demands, with how many there may be; none: it holds text. */
  readonly children?: readonly Child[];
}

/** Its name, how many there may be, and how many there must be. */
type Child = readonly [name: string, most: number, least?: number];

const MANY = Number.POSITIVE_INFINITY;
const PROBLEM: Rule = { required: ['type'], optional: ['message'] };
const RERUN: Rule = {
  ...PROBLEM,
  children: [
    ['stackTrace', 1, 1],
    ['system-out', 1],
    ['system-err', 1],
  ],
};

const RULES: Readonly<Record<string, Rule>> = {
  testsuite: {
    required: ['name', 'tests', 'errors', 'skipped', 'failures'],
    // A later edition of the schema knows `version` as well; what fits this one fits both.
    optional: ['time', 'group'],
    children: [
      ['properties', MANY],
      ['testcase', MANY],
    ],
  },
  properties: { required: [], children: [['property', MANY]] },
  property: { required: ['name', 'value'], children: [] },
  testcase: {
    required: ['name', 'time'],
    optional: ['classname', 'group'],
    children: [
      ['failure', MANY],
      ['rerunFailure', MANY],
      ['flakyFailure', MANY],
      ['skipped', 1],
      ['error', 1],
      ['rerunError', MANY],
      ['flakyError', MANY],
      ['system-out', 1],
      ['system-err', 1],
    ],
  },
  failure: PROBLEM,
  error: PROBLEM,
  skipped: { required: [], optional: ['message'] },
  rerunFailure: RERUN,
  rerunError: RERUN,
  flakyFailure: RERUN,
  flakyError: RERUN,
  stackTrace: { required: [] },
  'system-out': { required: [] },
  'system-err': { required: [] },
};
const TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?$/;
/** What XML 1.0 cannot hold. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** An element as a reader of XML sees it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** Parses a document and returns its root. Throws for what is not well-formed. */
export function parseXml(xml: string): Element {
  const verdict = XMLValidator.validate(xml);
  if (verdict !== true) throw new Error(`not well-formed: ${JSON.stringify(verdict.err)}`);
  const forbidden = FORBIDDEN.exec(xml);
  if (forbidden) throw new Error(`a character that XML forbids: ${JSON.stringify(forbidden[0])}`);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    trimValues: false,
    parseTagValue: false,
    ignoreDeclaration: true,
    processEntities: true,
  });
  const roots = readNodes(parser.parse(xml));
  const [root] = roots;
  if (root === undefined || roots.length !== 1) throw new Error(`${roots.length} roots`);
  return root;
}

/** Everything that Surefire's schema would not accept of a report, in words. */
export function findSchemaProblems(root: Element): string[] {
  if (root.name !== 'testsuites') return [`the root is ${root.name}`];
  return root.children.flatMap((suite) => (suite.name === 'testsuite' ? check(suite) : [`a ${suite.name}`]));
}

function check({ name, attributes, children, text }: Element): string[] {
  const rule = RULES[name];
  if (rule === undefined) return [`<${name}> is unknown`];
  const { required, optional = [] } = rule;
  const given = Object.keys(attributes);
  return [
    ...required.filter((key) => !given.includes(key)).map((key) => `<${name}> has no ${key}`),
    ...given.filter((key) => ![...required, ...optional].includes(key)).map((key) => `<${name} ${key}>`),
    ...(attributes.time === undefined || TIME.test(attributes.time) ? [] : [`time="${attributes.time}"`]),
    ...(rule.children && text.trim() !== '' ? [`text in <${name}>`] : []),
    ...checkOrder(name, children, rule.children ?? []),
    ...children.flatMap(check),
  ];
}

function checkOrder(name: string, children: readonly Element[], allowed: readonly Child[]) {
  const order = allowed.map(([child]) => child);
  const places = children.map((child) => order.indexOf(child.name));
  const count = (child: string) => children.filter((one) => one.name === child).length;
  return [
    ...children.filter((_, index) => places[index] === -1).map((child) => `<${child.name}> in <${name}>`),
    ...places
      .slice(1)
      .flatMap((place, index) => (place < (places[index] ?? 0) ? [`<${name}> out of order`] : [])),
    ...allowed.filter(([child, most]) => count(child) > most).map(([child]) => `too many <${child}>`),
    ...allowed
      .filter(([child, , least = 0]) => count(child) < least)
      .map(([child]) => `<${name}> without <${child}>`),
  ];
}

type Node = Record<string, unknown>;

function readNodes(nodes: Node[]): Element[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ':@' && key !== '#text');
    if (name === undefined) return [];
    const inner = node[name] as Node[];
    return [
      {
        name,
        attributes: (node[':@'] ?? {}) as Record<string, string>,
        children: readNodes(inner),
        text: inner.map((child) => (typeof child['#text'] === 'string' ? child['#text'] : '')).join(''),
      },
    ];
  });
}
