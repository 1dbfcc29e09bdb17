import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../domain/common/message-of.js';
import { refuseDebugger } from '../../exec/own-process.js';
import type { WardenNews, WardenOrders } from '../protocol.js';
import { openBridge } from './bridge.js';
import { startCompanion } from './companion.js';
import { answerLookups } from './lookups.js';
import { awaitLeftovers } from './processes.js';
import { countUnreachable } from './unreachable.js';

/**
 * The first program inside a sandbox. It opens the bridges to the outer loopback, starts the program that the sandbox is
 * for, and reports on a unix socket what that program tried to reach and what it left. It is a separate program:
 * `node warden.cjs <orders as JSON> <command> [args…]`.
 */
async function guard([ordersText = '', command = '', ...args]: readonly string[]): Promise<number> {
  const orders: WardenOrders = JSON.parse(ordersText);
  const control = connect(orders.control);
  await once(control, 'connect');
  const tell = (news: WardenNews) => void control.write(`${JSON.stringify(news)}\n`);
  // The listener outside may end first. Then there is nobody to report to.
  control.on('error', () => {});

  tell({ type: 'started', token: orders.token });
  await Promise.all(Object.entries(orders.bridges).map(([port, path]) => openBridge(Number(port), path)));
  await answerLookups((name) => tell({ type: 'lookup', name }));
  const counter = countUnreachable((total) => tell({ type: 'unreachable', total }));

  const companion =
    orders.companion === null
      ? null
      : await startCompanion(orders.companion, (how) => tell({ type: 'companion-ended', how }));
  if (companion !== null && 'failed' in companion) {
    tell({ type: 'companion-failed', message: companion.failed });
    await hangUp(control);
    return 127;
  }
  const child = spawn(command, args, { stdio: 'inherit' });
  // Whoever stops us can work on after the end of the program. Nobody outside does: it would be the end of a test.
  let wasStopped = false;
  process.on('SIGCONT', () => {
    wasStopped = true;
  });
  heedSignals(child, orders.passSignals);
  const end = await endOf(child);
  companion?.end();
  if ('message' in end) {
    tell({ type: 'not-started', message: end.message });
    await hangUp(control);
    return 127;
  }
  const leftBehind = await awaitLeftovers();
  // Of two signals at once, Node tells the second one later.
  await sleep(5);
  if (wasStopped)
    leftBehind.push({
      pid: process.pid,
      command: 'ralph-e2e: this reporter was stopped by a process inside',
    });
  counter.look();
  tell({ type: 'ended', ...end, leftBehind });
  await hangUp(control);
  return end.exitCode ?? 128 + signalNumber(end.signal);
}

/** Ignores signals, so that we outlive the program. Signals to the whole tree reach it without us; others we pass on. */
function heedSignals(child: ChildProcess, pass: boolean): void {
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (pass) child.kill(name);
    });
  }
}

type End = { exitCode: number | null; signal: NodeJS.Signals | null } | { message: string };

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ message }));
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}

async function hangUp(control: Socket): Promise<void> {
  if (control.destroyed) return;
  const closed = once(control, 'close');
  control.end();
  await closed;
}

refuseDebugger();
guard(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`ralph-e2e inside the sandbox: ${messageOf(error)}\n`);
    process.exit(125);
  },
);
