import * as z from 'zod';

const redirectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('read'), path: z.string() }),
  z.strictObject({
    kind: z.literal('write'),
    from: z.enum(['1', '2']),
    append: z.boolean(),
    path: z.string(),
  }),
  /** One stream goes where the other one goes: `2>&1`. */
  z.strictObject({ kind: z.literal('join'), from: z.enum(['1', '2']), to: z.enum(['1', '2']) }),
  /** The text of a here-document. */
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
]);
export type Redirect = z.infer<typeof redirectSchema>;

const wordSchema = z.union([
  z.string(),
  z.strictObject({ parts: z.array(z.union([z.string(), z.strictObject({ kept: z.string() })])) }),
]);
/** A word as the program gets it. It may contain an id that an earlier call of Ralph printed and that was kept. */
export type Word = z.infer<typeof wordSchema>;

const simpleCommandSchema = z.strictObject({
  /** The name under which its output is kept: `id=$(ralph tools task add …)`. */
  keeps: z.string().optional(),
  /** The program and its arguments. */
  words: z.array(wordSchema),
  redirects: z.array(redirectSchema),
});
/** A program with its arguments. */
export type SimpleCommand = z.infer<typeof simpleCommandSchema>;

const pipelineSchema = z.strictObject({
  /** What connects it to the pipeline before it. */
  after: z.enum(['&&', '||', ';']),
  commands: z.array(simpleCommandSchema),
});
export type Pipeline = z.infer<typeof pipelineSchema>;

export const commandLineSchema = z.array(pipelineSchema);
/** A shell command in which nothing is left to expand: programs, literal words, connectors and redirections. */
export type CommandLine = z.infer<typeof commandLineSchema>;

/** Writes a command line for bash. Each word is quoted, so bash passes it on as it is. */
export function renderCommandLine(line: CommandLine): string {
  return line
    .map(({ after, commands }, index) => {
      const pipe = commands.map(renderSimple).join(' | ');
      return index === 0 ? pipe : `${after === ';' ? ';' : ` ${after}`} ${pipe}`;
    })
    .join('');
}

function renderSimple({ keeps, words, redirects }: SimpleCommand): string {
  const command = [...words.map(renderWord), ...redirects.map(renderRedirect)].join(' ');
  return keeps === undefined ? command : `${variableOf(keeps)}=$(${command})`;
}

function renderWord(word: Word): string {
  if (typeof word === 'string') return quoteLiteral(word);
  return word.parts
    .map((part) => (typeof part === 'string' ? quoteLiteral(part) : `"$${variableOf(part.kept)}"`))
    .join('');
}

/** Ends in an error for any name but a plain one. The prefix keeps it apart from the variables of the shell. */
function variableOf(name: string): string {
  if (!KEPT_NAME.test(name)) throw new Error(`${name} is not the name of a kept output`);
  return `kept_${name}`;
}

const KEPT_NAME = /^[a-z_][a-z0-9_]{0,20}$/;

function renderRedirect(redirect: Redirect): string {
  switch (redirect.kind) {
    case 'read':
      return `< ${quoteLiteral(redirect.path)}`;
    case 'write':
      return `${redirect.from}${redirect.append ? '>>' : '>'} ${quoteLiteral(redirect.path)}`;
    case 'join':
      return `${redirect.from}>&${redirect.to}`;
    case 'text':
      // A here-string ends with a line feed that is not part of its word.
      return redirect.text === '' ? '< /dev/null' : `<<< ${quoteLiteral(redirect.text.replace(/\n$/, ''))}`;
    default:
      return redirect satisfies never;
  }
}

/** In single quotes, no character is special but the quote itself. */
function quoteLiteral(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
