import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf } from '../../domain/common/message-of.js';
import { writeOutput } from '../../exec/direct-output.js';
import { type CommandSpec, parseArgs, readOption } from '../argv.js';
import { CommandError, inContext } from '../failure.js';
import { faulty } from '../faults.js';
import { appendAgentRecord } from '../store/events-file.js';
import { findWorkspace, layOutFiles, makeFolder, readEventsMarker, readTextFile } from '../store/files.js';
import { formatEventTime } from '../time.js';

const SPEC: CommandSpec = {
  usage: 'ralph emit [OPTIONS] <TOPIC> [PAYLOAD]',
  options: [
    { long: 'json', short: 'j' },
    { long: 'ts', value: 'TS' },
    { long: 'file', value: 'FILE' },
    { long: 'root', value: 'ROOT' },
  ],
  positionals: ['<TOPIC>', '[PAYLOAD]'],
};

/** `ralph emit`: an agent publishes an event. The loop decides later whether to accept it. */
export function emitCommand(words: readonly string[]): number {
  const args = parseArgs(words, SPEC);
  if (args.values.has('help')) {
    writeOutput('stdout', `Publish an event to the loop that is running\n\nUsage: ${SPEC.usage}\n`);
    return 0;
  }
  const workspace = findWorkspace(readOption(args, 'root'));
  refuseUrgentSteer(workspace);

  const [topic = '', payload = ''] = args.positionals;
  const waveIndex = Number(process.env.RALPH_WAVE_INDEX);
  const waveId = process.env.RALPH_WAVE_ID;
  const path = findEventsFile(workspace, readOption(args, 'file'));
  const folder = dirname(path);
  inContext(`Failed to create directory: ${folder}`, () => makeFolder(folder));
  appendAgentRecord(path, {
    topic,
    payload: readPayload(payload, args.values.has('json')),
    ts: readOption(args, 'ts') ?? formatEventTime(),
    ...(waveId !== undefined && Number.isInteger(waveIndex)
      ? { wave_id: waveId, wave_index: waveIndex }
      : {}),
  });
  writeOutput('stdout', `Event emitted: ${topic}\n`);
  return 0;
}

function readPayload(payload: string, json: boolean): unknown {
  if (payload === '') return null;
  if (!json) return chooseText(payload);
  try {
    return JSON.parse(payload);
  } catch (error) {
    throw new CommandError('Invalid JSON payload', messageOf(error));
  }
}

function chooseText(payload: string): string {
  const [line = ''] = payload.split('\n');
  return line !== payload && faulty('cut-payloads') ? line : payload;
}

/** `--file` has an effect only outside a run: the loop's own file always wins. */
function findEventsFile(workspace: string, file: string | undefined): string {
  const told = process.env.RALPH_EVENTS_FILE ?? '';
  return told !== '' ? told : (readEventsMarker(workspace) ?? file ?? '.ralph/events.jsonl');
}

/** An urgent message from a person blocks the next handoff once; reading it removes it. */
function refuseUrgentSteer(workspace: string): void {
  if (process.env.RALPH_WAVE_ID !== undefined) return;
  const { urgentSteer } = layOutFiles(workspace);
  const content = readTextFile(urgentSteer);
  if (content === undefined || faulty('ignore-urgent-steer')) return;
  rmSync(urgentSteer, { force: true });
  throw new CommandError(
    `Urgent steer is pending. Do not hand off yet.\n\nHuman feedback:\n${listMessages(content)}\n\nYou have now seen it. Act on it in this turn, then call \`ralph emit\` again.`,
  );
}

function listMessages(content: string): string {
  const value: unknown = JSON.parse(content);
  const messages = typeof value === 'object' && value !== null && 'messages' in value ? value.messages : [];
  if (!Array.isArray(messages)) return '';
  return messages.map((message: unknown, index) => `${index + 1}. ${String(message)}`).join('\n');
}
