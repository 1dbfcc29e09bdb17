import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AF_VSOCK, NEW_NAMESPACES, REFUSED_CALLS } from '../bwrap/call-filter.js';
import type { Engine } from './engine.js';

/** The first engine whose own profile refuses the sockets of virtual machines. */
const FIRST_COMPLETE = 23;

/** More calls that docker's own profile refuses. */
const ALSO_REFUSED =
  'kcmp name_to_handle_at move_pages personality uselib ustat vm86 vm86old nfsservctl'.split(' ');

/** Builds the options for the filter of system calls. Newer engines have a good one; for an older one, we write our own. */
export async function callOptions({ version }: Engine, folder: string): Promise<string[]> {
  if (Number.parseInt(version, 10) >= FIRST_COMPLETE) return [];
  const file = join(folder, 'calls.json');
  await writeFile(file, JSON.stringify(PROFILE));
  return ['--security-opt', `seccomp=${file}`];
}

const refuse = { action: 'SCMP_ACT_ERRNO', errnoRet: 1 };
const PROFILE = {
  defaultAction: 'SCMP_ACT_ALLOW',
  archMap: [
    { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
    { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
  ],
  syscalls: [
    { ...refuse, names: [...REFUSED_CALLS, ...ALSO_REFUSED] },
    // Its flags are in memory, where a filter cannot look. Programs then use clone.
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 },
    { ...refuse, names: ['socket'], args: [{ index: 0, value: AF_VSOCK, op: 'SCMP_CMP_EQ' }] },
    ...bitsOf(NEW_NAMESPACES).map((flag) => ({
      ...refuse,
      names: ['clone', 'unshare'],
      args: [{ index: 0, value: flag, valueTwo: flag, op: 'SCMP_CMP_MASKED_EQ' }],
    })),
  ],
};

function bitsOf(mask: number): number[] {
  return Array.from({ length: 31 }, (_, bit) => 2 ** bit).filter((flag) => (mask & flag) !== 0);
}
