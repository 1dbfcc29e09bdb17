import { dirname, join } from 'node:path';
import type { Evidence } from '../domain/evidence/evidence.js';
import type { IsolationRecord } from '../domain/evidence/isolation.js';
import { ensureFile } from '../exec/files/make-folder.js';
import { openScope } from '../exec/process/containment/open-scope.js';
import type { ProcessScope } from '../exec/process/containment/process-scope.js';
import type { Enclosure, Sandbox } from '../isolation/launch.js';
import { findRefusedWrites } from '../isolation/refused-writes.js';
import type { LaneSetup, Places } from './lane-setup.js';
import type { SuiteSettings } from './settings.js';

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

/** The scope of one attempt. A sandbox keeps processes by itself: then there is none. */
export interface AttemptScope {
  readonly open: () => Promise<ProcessScope | undefined>;
  readonly close: () => Promise<void>;
}

/** Begins to open the scope of an attempt. That takes as long as a few processes, so the workspace is created meanwhile. */
export function prepareScope({ enclosure, containment }: SuiteSettings): AttemptScope {
  const opening = enclosure === undefined ? openScope(containment) : Promise.resolve(undefined);
  // Whoever opens it gets the error.
  const settled = opening.catch(() => undefined);
  return {
    open: () => opening,
    close: async () => (await settled)?.close(),
  };
}
