import { parseOptions } from '../../../agent/stand-in/options.js';
import { type CliCall, plainStandIn, print, refuse } from '../../../agent/stand-in/plain-stand-in.js';
import { inScriptedLane, NotPlayed } from '../../../agent/stand-in/run-stand-in.js';
import { standInVersion } from '../../../domain/stand-ins.js';
import { piJsonPrinter, sessionLine } from './json-printer.js';

const notPlayed = (what: string) => new NotPlayed('pi', what, inScriptedLane('pi'));

/** pi: `pi -p --mode json --no-session PROMPT`; a line of JSON per event. */
export const piStandIn = plainStandIn('pi', ({ argv, cwd, write }, loggedIn): CliCall => {
  const table = {
    flags: ['--print', '--no-session', '--version', '--list-models'],
    values: ['--mode', '--model', '--provider'],
    spellings: { '-p': '--print' },
  };
  const { flags, values, given, positionals } = parseOptions(argv, table, notPlayed);
  // Both go to stderr: without a screen pi keeps stdout for the answer.
  if (flags.has('--version')) return print(standInVersion('pi'), 0, 'stderr');
  if (flags.has('--list-models')) return print(loggedIn ? MODELS : NO_MODELS, 0, 'stderr');
  if (!flags.has('--print')) throw notPlayed('the interactive screen (use -p)');
  const mode = values.get('--mode') ?? 'text';
  if (mode !== 'json') throw notPlayed(`--mode ${mode} (use --mode json)`);
  const [argument, another] = positionals;
  if (argument === undefined || another !== undefined)
    throw notPlayed(argument === undefined ? 'a call without a prompt' : 'several prompts in one call');
  if (!loggedIn) {
    write('stdout', sessionLine(cwd));
    return refuse('No API key found for the selected model.');
  }
  const model = values.get('--model');
  const printer = piJsonPrinter({ write, cwd }, model);
  return { kind: 'prompt', argument, model, given, printer };
});

const MODELS = `provider  model           context  max-out  thinking  images
stand-in  scripted-model  200K     8.2K     no        no`;
const NO_MODELS = 'No models available. Use /login to log into a provider via OAuth or API key.';
