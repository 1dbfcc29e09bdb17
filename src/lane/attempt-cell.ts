import { dirname, join } from 'node:path';
import { ensureFile } from 'fs-extra/esm';
import type { Evidence } from '../domain/evidence/evidence.js';
import type { IsolationRecord } from '../domain/evidence/isolation.js';
import type { Cell, Enclosure } from '../isolation/launch.js';
import { findRefusedWrites } from '../isolation/refused-writes.js';
import type { Bench, Places } from './bench.js';

/** What an attempt needs inside besides its workspace. */
interface AttemptNeeds extends Places, Pick<Bench, 'agentLog' | 'modelUrl'> {
  /** What else must be readable: folders of plugins. */
  readonly readable?: readonly string[];
  /** Files besides the log that programs inside append to. */
  readonly writable?: readonly string[];
}

/** The isolation of one attempt; on the host there is none, and everything here gives undefined. */
export interface AttemptCell {
  /**
   * Opens it, before the workspace is made there: attempts may share a container, and while git runs on this machine in
   * a new workspace no agent may reach it.
   */
  readonly open: (workspace: string) => Promise<Cell | undefined>;
  /** What was stopped, for the evidence. */
  readonly record: (evidence: Evidence) => IsolationRecord | undefined;
  readonly close: () => Promise<void>;
}

/** Prepares the isolation of one attempt. */
export function prepareCell(enclosure: Enclosure | undefined, needs: AttemptNeeds): AttemptCell {
  let cell: Cell | undefined;
  return {
    open: async (workspace) => {
      if (enclosure === undefined) return undefined;
      const files = [...(needs.agentLog === null ? [] : [needs.agentLog]), ...(needs.writable ?? [])];
      for (const file of files) await ensureFile(file);
      cell = await enclosure.open({
        folders: [workspace, needs.home],
        files,
        // The project around the workspace as well, so that a write there is refused wherever the project lies.
        readable: [
          join(needs.artifacts, 'agent-script.json'),
          dirname(dirname(workspace)),
          dirname(workspace),
          ...(needs.readable ?? []),
        ],
        ports: needs.modelUrl === null ? [] : [Number(new URL(needs.modelUrl).port)],
      });
      return cell;
    },
    record: (evidence) =>
      cell === undefined
        ? undefined
        : { kind: cell.kind, stopped: [...cell.stopped(), ...findRefusedWrites(evidence)] },
    close: async () => cell?.close(),
  };
}
