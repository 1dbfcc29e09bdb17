// Reads the options of a script. The comment at the top of the script is its help.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Does what parseArgs does, and ends the process with the help for --help, and with 2 for what the script does not know.
 *
 * @template {Omit<import('node:util').ParseArgsConfig, 'args'>} Config
 * @param {string} script its import.meta.url
 * @param {Config} config
 * @returns {ReturnType<typeof parseArgs<Config>>}
 */
export function parseOptions(script, config) {
  const name = `scripts/${basename(fileURLToPath(script))}`;
  const help = { type: 'boolean', short: 'h' };
  try {
    const read = parseArgs({ ...config, options: { ...config.options, help } });
    if (!read.values.help) return read;
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const known = Object.keys(config.options).map((option) => `--${option}`);
    // The rest is advice for values that begin with a dash.
    const [found] = error.message.split(/\. |\n/);
    console.error(
      `${name}: expected ${known.join(', ')}; found: ${found}.\nSee its options: node ${name} --help`,
    );
    process.exit(2);
  }
  console.log(readHelp(script));
  process.exit(0);
}

function readHelp(script) {
  const [comment = ''] = /^(?:\/\/.*\n)*/.exec(readFileSync(fileURLToPath(script), 'utf8')) ?? [];
  return comment.trimEnd().replaceAll(/^\/\/ ?/gm, '');
}
