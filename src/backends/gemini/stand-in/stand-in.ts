import { parseOptions } from '../../../agent/stand-in/options.js';
import {
  type CliCall,
  describeServiceFailure,
  plainPrinter,
  plainStandIn,
  print,
  refuse,
} from '../../../agent/stand-in/plain-stand-in.js';
import { inScriptedLane, NotPlayed } from '../../../agent/stand-in/run-stand-in.js';
import { standInVersion } from '../../../domain/stand-ins.js';

const notPlayed = (what: string) => new NotPlayed('gemini', what, inScriptedLane('Gemini CLI'));

/** Gemini: `gemini --yolo -p PROMPT`; answers on stdout, errors on stderr. */
export const geminiStandIn = plainStandIn('gemini', ({ argv, env, write }, loggedIn): CliCall => {
  const table = {
    flags: ['--version', '--list-extensions', '--yolo', '--skip-trust'],
    values: ['--prompt', '--model', '--output-format'],
    spellings: { '-p': '--prompt', '-m': '--model', '-y': '--yolo', '-o': '--output-format' },
  };
  const { flags, values, given } = parseOptions(argv, table, notPlayed);
  if (flags.has('--version')) return print(standInVersion('gemini'));
  if (!loggedIn) return refuse(NO_LOGIN, 41);
  if (flags.has('--list-extensions')) return print('No extensions installed.');
  const argument = values.get('--prompt');
  if (argument === undefined) throw notPlayed('the interactive screen (use -p)');
  const format = values.get('--output-format') ?? 'text';
  if (format !== 'text') throw notPlayed(`--output-format ${format}`);
  // A user can also trust the folder in a file. Ralph does not, and the stand-in does not look there.
  if (!flags.has('--skip-trust') && env.GEMINI_CLI_TRUST_WORKSPACE !== 'true') return refuse(NOT_TRUSTED, 55);
  if (!flags.has('--yolo')) throw notPlayed('modes without its tools (use --yolo)');
  const printer = plainPrinter(write, {
    // It shows none. The real CLI's startup lines on stderr are omitted: Ralph could read them after the promise.
    describeTool: null,
    describeFailure: (failure) => `Error when talking to Gemini API ${describeServiceFailure(failure)}`,
  });
  return { kind: 'prompt', argument, model: values.get('--model') ?? env.GEMINI_MODEL, given, printer };
});

const NO_LOGIN =
  'Please set an Auth method in your ~/.gemini/settings.json or specify one of the following environment variables before running: GEMINI_API_KEY, GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_GENAI_USE_GCA';

const NOT_TRUSTED = [
  'Approval mode overridden to "default" because the current folder is not trusted.',
  'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode.',
].join('\n');
