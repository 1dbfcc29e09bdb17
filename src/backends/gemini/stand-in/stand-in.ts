import { parseOptions } from '../../../agent/stand-in/options.js';
import { type CliCall, plainPrinter, plainStandIn } from '../../../agent/stand-in/plain-stand-in.js';
import { readPromptArgument } from '../../../agent/stand-in/prompt-argument.js';
import { inScriptedLane, refuseUnplayed } from '../../../agent/stand-in/run-stand-in.js';
import type { Surroundings } from '../../../agent/stand-in/surroundings.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { describeServiceFailure } from '../../last-message-printer.js';

/** Gemini: `gemini --yolo -p PROMPT`; answers on stdout, errors on stderr. */
export const geminiStandIn = plainStandIn('gemini', (around, loggedIn): CliCall => {
  const { unknown, flags, values, given } = parseOptions(around.argv, {
    flags: [
      ...['--version', '-v', '--list-extensions', '-l', '--yolo', '-y', '--skip-trust', '--debug', '-d'],
      ...['--raw-output', '--accept-raw-output-risk', '--screen-reader'],
    ],
    values: ['--prompt', '-p', '--model', '-m', '--approval-mode', '--output-format', '-o'],
    lists: ['--extensions', '-e', '--include-directories'],
  });
  if (unknown !== null) {
    const message = `Unknown argument: ${unknown.replace(/^-+/, '')}\nUsage: gemini [options] [command]`;
    return { kind: 'refuse', message, exitCode: 1 };
  }
  if (flags.has('--version') || flags.has('-v'))
    return { kind: 'print', text: standInVersion('gemini'), exitCode: 0 };
  if (!loggedIn) return { kind: 'refuse', message: NO_LOGIN, exitCode: 41 };
  if (flags.has('--list-extensions') || flags.has('-l'))
    return { kind: 'print', text: 'No extensions installed.', exitCode: 0 };
  const prompt = values.get('--prompt') ?? values.get('-p');
  if (prompt === undefined) return notPlayed('the interactive screen (use -p)');
  const format = values.get('--output-format') ?? values.get('-o') ?? 'text';
  if (format !== 'text') return notPlayed(`--output-format ${format}`);
  // A user can also trust the folder in a file. Ralph does not, and the stand-in does not look there.
  if (!flags.has('--skip-trust') && around.env.GEMINI_CLI_TRUST_WORKSPACE !== 'true')
    return { kind: 'refuse', message: NOT_TRUSTED, exitCode: 55 };
  const yolo = flags.has('--yolo') || flags.has('-y') || values.get('--approval-mode') === 'yolo';
  if (!yolo) return notPlayed('modes without its tools (use --yolo)');
  const model = values.get('--model') ?? values.get('-m') ?? around.env.GEMINI_MODEL;
  return {
    kind: 'prompt',
    ...readPromptArgument(prompt),
    ...(model === undefined ? {} : { model }),
    flags: given,
    printer: textPrinter(around),
  };
});

const NO_LOGIN =
  'Please set an Auth method in your ~/.gemini/settings.json or specify one of the following environment variables before running: GEMINI_API_KEY, GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_GENAI_USE_GCA';

const NOT_TRUSTED = [
  'Approval mode overridden to "default" because the current folder is not trusted.',
  'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`, set the `GEMINI_CLI_TRUST_WORKSPACE=true` environment variable, or trust this directory in interactive mode.',
].join('\n');

function textPrinter({ write }: Surroundings) {
  return plainPrinter(write, {
    // It shows none. The real CLI's startup lines on stderr are omitted: Ralph could read them after the promise.
    describeTool: null,
    describeFailure: (failure) => `Error when talking to Gemini API ${describeServiceFailure(failure)}`,
  });
}

function notPlayed(what: string): CliCall {
  return refuseUnplayed('gemini', what, inScriptedLane('Gemini CLI'));
}
