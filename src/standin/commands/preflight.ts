import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, parseArgs, readOption } from '../argv.js';
import { describeSources, loadConfig } from '../config/load.js';
import { CommandError } from '../failure.js';
import { createLog } from '../log.js';
import { CHECK_NAMES, runPreflight } from '../screen/preflight.js';
import { renderReport } from '../screen/preflight-summary.js';

const SPEC: CommandSpec = {
  usage: 'ralph preflight [OPTIONS]',
  options: [
    { long: 'format', value: 'FORMAT', choices: ['human', 'json'] },
    { long: 'strict' },
    { long: 'check', value: 'NAME', repeatable: true },
  ],
};

/** `ralph preflight`: checks whether a run could start. */
export async function preflightCommand(words: readonly string[]): Promise<number> {
  const args = parseArgs(words, SPEC);
  if (args.values.has('help')) {
    writeOutput('stdout', `Check the configuration and the machine\n\nUsage: ${SPEC.usage}\n`);
    return 0;
  }
  const workspace = process.cwd();
  const verbose = args.values.has('verbose');
  const log = createLog({ verbose, headless: true, workspace });
  const sources = args.values.get('config') ?? [];
  const hats = readOption(args, 'hats');
  const config = await loadConfig(sources, hats, log);
  const asked = (args.values.get('check') ?? []).map((name) => name.toLowerCase());
  const unknown = asked.filter((name) => !CHECK_NAMES.includes(name));
  if (unknown.length > 0) {
    throw new CommandError(
      `Unknown check(s): ${unknown.join(', ')}. Available checks: ${CHECK_NAMES.join(', ')}`,
    );
  }
  const strict = args.values.has('strict');
  const report = runPreflight(config, workspace, { names: asked.length === 0 ? CHECK_NAMES : asked, strict });
  writeOutput(
    'stdout',
    readOption(args, 'format') === 'json'
      ? `${JSON.stringify(report, null, 2)}\n`
      : renderReport(report, describeSources(sources, hats), strict),
  );
  return report.passed ? 0 : 1;
}
