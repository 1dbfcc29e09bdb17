import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { toFailure } from './failure.js';
import { appendTextFile } from './store/files.js';
import { formatLogTime } from './time.js';

/** Writes log lines in the real format; `target` is the module that writes them in the real Ralph. */
export interface Log {
  debug(target: string, message: string): void;
  info(target: string, message: string): void;
  warn(target: string, message: string): void;
  error(target: string, message: string): void;
}

const COLOURS = { DEBUG: '34', INFO: '32', WARN: '33', ERROR: '31' } as const;

/**
 * Creates the log. Headless runs log to stdout. Without a headless flag the real Ralph draws on the terminal and logs
 * to a file instead.
 */
export function createLog(options: {
  verbose: boolean;
  headless: boolean;
  workspace: string;
  /** Also gets every line that is written. */
  trace?: Write;
}): Log {
  const write = options.headless ? writeToStdout : createFileWriter(options.workspace);
  const line = (level: keyof typeof COLOURS, target: string, message: string) => {
    if (level === 'DEBUG' && !options.verbose) return;
    options.trace?.(level, target, message);
    write(level, target, message);
  };
  return {
    debug: (target, message) => line('DEBUG', target, message),
    info: (target, message) => line('INFO', target, message),
    warn: (target, message) => line('WARN', target, message),
    error: (target, message) => line('ERROR', target, message),
  };
}

/** Runs an optional action: a full disk or a broken file causes a warning and does not end the run. */
export function attempt(log: Log, target: string, what: string, action: () => void): void {
  try {
    action();
  } catch (error) {
    const failure = toFailure(error);
    if (failure === undefined) throw error;
    log.warn(target, `Failed to ${what}: ${failure.message}`);
  }
}

type Write = (level: keyof typeof COLOURS, target: string, message: string) => void;

const writeToStdout: Write = (level, target, message) => {
  const name = level.padStart(5);
  // The real Ralph colors its log lines even in a pipe, unless NO_COLOR is set.
  const plain = (process.env.NO_COLOR ?? '') !== '';
  process.stdout.write(
    plain
      ? `${formatLogTime()} ${name} ${target}: ${message}\n`
      : `\x1b[2m${formatLogTime()}\x1b[0m \x1b[${COLOURS[level]}m${name}\x1b[0m \x1b[2m${target}\x1b[0m\x1b[2m:\x1b[0m ${message}\n`,
  );
};

function createFileWriter(workspace: string): Write {
  const folder = join(workspace, '.ralph', 'diagnostics', 'logs');
  const stamp = new Date().toISOString().slice(0, 23).replace(/[:.]/g, '-');
  const path = join(folder, `ralph-${stamp}-${process.pid}.log`);
  rotate(folder);
  return (level, target, message) => {
    appendTextFile(path, `${formatLogTime()} ${level.padStart(5)} ${target}: ${message}\n`);
  };
}

/** The real Ralph keeps five log files: it deletes the oldest ones to make room for its own. */
function rotate(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return;
  const logs = readdirSync(folder).filter((name) => /^ralph-.*\.log$/.test(name));
  for (const name of logs.sort().slice(0, Math.max(0, logs.length - 4))) rmSync(join(folder, name));
}
