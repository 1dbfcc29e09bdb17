import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript-api';

/** One exported thing with its comment, as the source declares it. */
export interface Entry {
  readonly name: string;
  readonly file: string;
  readonly doc: string;
  readonly form: 'call' | 'value' | 'type';
  readonly text: string;
  readonly methods: readonly { readonly text: string; readonly doc: string }[];
}

/** Lists what a module exports, including what it passes on from others. */
export function listExports(root: string, file: string): Entry[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const seen = new Set<string>();
  return source.statements.flatMap((statement) => exportsOf(statement)).filter(isFirst);

  function exportsOf(statement: ts.Statement): Entry[] {
    if (!ts.isExportDeclaration(statement)) return describe(statement, source, file);
    const { moduleSpecifier, exportClause } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    const target = relative(root, join(root, dirname(file), moduleSpecifier.text.replace(/\.js$/, '.ts')));
    const found = listExports(root, target);
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return found;
    return exportClause.elements.flatMap(({ name, propertyName }) =>
      found.filter((entry) => entry.name === (propertyName ?? name).text),
    );
  }

  function isFirst({ name, file: at }: Entry): boolean {
    const key = `${at} ${name}`;
    return !seen.has(key) && Boolean(seen.add(key));
  }
}

function describe(statement: ts.Statement, source: ts.SourceFile, file: string): Entry[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  const doc = docOf(statement);
  const common = { file, doc, methods: [] };
  if (ts.isFunctionDeclaration(statement) && statement.name) {
    const { name } = statement;
    return [{ ...common, name: name.text, form: 'call', text: name.text + signatureOf(statement, source) }];
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [
      { ...common, name: statement.name.text, form: 'type', text: withoutExport(statement.getText(source)) },
    ];
  if (ts.isClassDeclaration(statement) && statement.name)
    return [
      {
        ...common,
        name: statement.name.text,
        form: 'value',
        text: statement.name.text,
        methods: statement.members.filter(isPublicMethod).map((method) => ({
          text: method.name.getText(source) + signatureOf(method, source),
          doc: docOf(method),
        })),
      },
    ];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name, initializer }) => ({
    ...common,
    name: name.getText(source),
    form: 'value' as const,
    text:
      name.getText(source) +
      (initializer && ts.isArrowFunction(initializer) ? signatureOf(initializer, source) : ''),
  }));
}

function isPublicMethod(member: ts.ClassElement): member is ts.MethodDeclaration {
  return ts.isMethodDeclaration(member) && ts.isIdentifier(member.name);
}

/** Parameters and result on one line. A check builder's result is always a Check, so it is left out. */
function signatureOf({ parameters, type }: ts.SignatureDeclarationBase, source: ts.SourceFile): string {
  const result = type?.getText(source);
  const list = parameters.map((parameter) => parameter.getText(source)).join(', ');
  return `(${list})${result === undefined || result === 'Check' ? '' : `: ${result}`}`.replaceAll(
    /\s+/g,
    ' ',
  );
}

function docOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .flatMap((comment) => (ts.isJSDoc(comment) ? [ts.getTextOfJSDocComment(comment.comment) ?? ''] : []))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function withoutExport(text: string): string {
  return text.replace(/^(?:\/\*\*[\s\S]*?\*\/\s*)?export /, '');
}

/** A chapter of the page: the modules it describes, in order. */
interface Chapter {
  readonly title: string;
  readonly intro: string;
  readonly contains: (entry: Entry) => boolean;
}

const isIn =
  (...folders: readonly string[]) =>
  ({ file }: Entry) =>
    folders.some((folder) => file.startsWith(folder));

const CHAPTERS: readonly Chapter[] = [
  {
    title: 'Checks for every scenario',
    intro: 'Files, commands that the harness runs after the test, and the harness itself.',
    contains: (entry) => isIn('src/domain/checks')(entry) && entry.form !== 'type',
  },
  {
    title: 'Checks for a Ralph run',
    intro: 'How the loop ends, what each iteration was told and did, and what Ralph recorded.',
    contains: (entry) => isIn('src/kinds/ralph/checks')(entry) && entry.form !== 'type',
  },
  {
    title: 'Checks for a conversation',
    intro: 'Turns, plugins, hooks, workflow stages and commits.',
    contains: (entry) => isIn('src/kinds/conversation/checks')(entry) && entry.form !== 'type',
  },
  {
    title: 'Scenarios and configuration',
    intro: 'What `scenario()` and `conversation()` take, and builders for `ralph.yml`.',
    contains: isIn(
      'src/domain/scenario',
      'src/domain/check.ts',
      'src/kinds/ralph/',
      'src/domain/vocabulary.ts',
    ),
  },
  {
    title: 'Agent scripts',
    intro: 'Builders for the scripted agent of the offline lanes, and ways to change a script in a saboteur.',
    contains: isIn('src/agent/builder.ts', 'src/agent/sabotage.ts', 'src/domain/agent-script.ts'),
  },
  {
    title: 'Catalog saboteurs and helpers',
    intro: 'In `scenarios/support/`; the scenarios in this repository share them.',
    contains: isIn('scenarios/support'),
  },
  {
    title: 'Library',
    intro: 'What your own tests can import: a scripted agent, projects, plugins, sessions, and whole runs.',
    contains: () => true,
  },
];

/** Writes the reference of everything that scenarios and tests can import. */
export function renderReference(root: string): string {
  const support = readdirSync(join(root, 'scenarios/support'))
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .flatMap((name) => listExports(root, join('scenarios/support', name)));
  const chapters = CHAPTERS.map((chapter): { chapter: Chapter; entries: Entry[] } => ({
    chapter,
    entries: [],
  }));
  for (const entry of [...listExports(root, 'src/index.ts'), ...support])
    chapters.find(({ chapter }) => chapter.contains(entry))?.entries.push(entry);
  return [
    '# Reference: checks and builders',
    '',
    'For the author of a scenario who looks up a check or a builder. Generated from the comments in the sources by `npm run docs`. Import everything except the catalog helpers from `ralph-e2e`. [CONTRIBUTING](../CONTRIBUTING.md) shows how a scenario is put together, and `ralph-e2e --list --verbose` prints every scenario with its checks.',
    '',
    ...chapters.flatMap(({ chapter, entries }) => renderChapter(chapter, entries)),
  ].join('\n');
}

function renderChapter({ title, intro }: Chapter, entries: readonly Entry[]): string[] {
  const files = [...new Set(entries.map(({ file }) => file))];
  const lines = files.flatMap((file) => {
    const own = entries.filter((entry) => entry.file === file);
    const types = own.filter(({ form }) => form === 'type');
    return [
      ...(files.length > 1 ? [`### ${basename(file, '.ts').replaceAll('-', ' ')}`, ''] : []),
      ...own.filter(({ form }) => form !== 'type').flatMap(renderCallable),
      ...(own.length > types.length ? [''] : []),
      ...types.flatMap(renderType),
    ];
  });
  return [`## ${title}`, '', intro, '', ...lines];
}

function renderCallable({ text, doc, methods }: Entry): string[] {
  return [
    renderItem(text, doc),
    ...methods.map((method) => `  ${renderItem(`.${method.text}`, method.doc)}`),
  ];
}

function renderItem(text: string, doc: string): string {
  return `- \`${text}\`${doc === '' ? '' : `: ${doc}`}`;
}

function renderType({ doc, text }: Entry): string[] {
  // A type that a schema defines says nothing by itself.
  if (text.includes('z.infer<')) return [];
  return [...(doc === '' ? [] : [doc, '']), '```ts', text, '```', ''];
}
