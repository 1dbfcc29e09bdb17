import { dirname, join } from 'node:path';
import type { Evidence } from '../domain/evidence/evidence.js';
import type { IsolationRecord } from '../domain/evidence/isolation.js';
import { ensureFile } from '../exec/files/make-folder.js';
import type { Enclosure, Sandbox } from '../isolation/launch.js';
import { findRefusedWrites } from '../isolation/refused-writes.js';
import type { LaneSetup, Places } from './lane-setup.js';

/** What an attempt needs inside, in addition to its workspace. */
interface AttemptNeeds extends Places, Pick<LaneSetup, 'agentLog' | 'modelUrl'> {
  /** Other readable paths: folders of plugins. */
  readonly readable?: readonly string[];
  /** Files that programs inside append to, in addition to the log. */
  readonly writable?: readonly string[];
}

/** The isolation of one attempt. On the host there is none, and everything returns undefined. */
export interface AttemptSandbox {
  /**
   * Opens the sandbox. Call it before the workspace is created: attempts may share a container, and no agent may reach a new
   * workspace while git runs in it on this machine.
   */
  readonly open: (workspace: string) => Promise<Sandbox | undefined>;
  /** Returns what was stopped, for the evidence. */
  readonly record: (evidence: Evidence) => IsolationRecord | undefined;
  readonly close: () => Promise<void>;
}

/** Prepares the isolation of one attempt. */
export function prepareSandbox(enclosure: Enclosure | undefined, needs: AttemptNeeds): AttemptSandbox {
  let sandbox: Sandbox | undefined;
  return {
    open: async (workspace) => {
      if (enclosure === undefined) return undefined;
      const files = [...(needs.agentLog === null ? [] : [needs.agentLog]), ...(needs.writable ?? [])];
      for (const file of files) ensureFile(file);
      sandbox = await enclosure.open({
        folders: [workspace, needs.home],
        files,
        readable: [join(needs.artifacts, 'agent-script.json'), ...(needs.readable ?? [])],
        around: [dirname(dirname(workspace)), dirname(workspace)],
        ports: needs.modelUrl === null ? [] : [Number(new URL(needs.modelUrl).port)],
      });
      return sandbox;
    },
    record: (evidence) =>
      sandbox === undefined
        ? undefined
        : { kind: sandbox.kind, stopped: [...sandbox.stopped(), ...findRefusedWrites(evidence)] },
    close: async () => sandbox?.close(),
  };
}
