import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * System calls that get around namespaces or are only good for taking over a machine, with their numbers. Docker refuses
 * them, too. The keyrings of the kernel belong to the user and not to a namespace: inside, they would show what programs
 * outside keep there.
 */
const REFUSED = {
  x64: `
    add_key 248 request_key 249 keyctl 250 mount 165 umount2 166 pivot_root 155 move_mount 429 open_tree 428
    fsopen 430 fsconfig 431 fsmount 432 fspick 433 mount_setattr 442 setns 308 open_by_handle_at 304 bpf 321
    perf_event_open 298 userfaultfd 323 init_module 175 finit_module 313 delete_module 176 kexec_load 246
    kexec_file_load 320 reboot 169 swapon 167 swapoff 168 syslog 103 acct 163 quotactl 179 settimeofday 164
    clock_settime 227 iopl 172 ioperm 173 lookup_dcookie 212 io_uring_setup 425 io_uring_enter 426
    io_uring_register 427`,
  arm64: `
    add_key 217 request_key 218 keyctl 219 mount 40 umount2 39 pivot_root 41 move_mount 429 open_tree 428
    fsopen 430 fsconfig 431 fsmount 432 fspick 433 mount_setattr 442 setns 268 open_by_handle_at 265 bpf 280
    perf_event_open 241 userfaultfd 282 init_module 105 finit_module 273 delete_module 106 kexec_load 104
    kexec_file_load 294 reboot 142 swapon 224 swapoff 225 syslog 116 acct 89 quotactl 60 settimeofday 170
    clock_settime 112 lookup_dcookie 18 io_uring_setup 425 io_uring_enter 426 io_uring_register 427`,
} as const;

/** The names of the calls that are refused. */
export const REFUSED_CALLS: readonly string[] = REFUSED.x64.match(/[a-z]\w*/g) ?? [];

/**
 * The architecture as the kernel reports it, and the calls of which only certain uses are refused: `modes` take the mode
 * of a file as the argument with this index, and `opens` take it after their flags.
 */
const MACHINES = {
  x64: {
    ...{ audit: 0xc000003e, clone: 56, unshare: 272, socket: 41 },
    /** chmod, fchmod, creat, mknod, fchmodat, mknodat, fchmodat2 */
    modes: { 90: 1, 91: 1, 85: 1, 133: 1, 268: 2, 259: 2, 452: 2 },
    /** open, openat */
    opens: { 2: 2, 257: 3 },
  },
  arm64: {
    ...{ audit: 0xc00000b7, clone: 220, unshare: 97, socket: 198 },
    /** fchmod, fchmodat, mknodat, fchmodat2 */
    modes: { 52: 1, 53: 2, 33: 2, 452: 2 },
    opens: { 56: 3 },
  },
} as const;

/** Their arguments are in memory, where a filter cannot look. Programs then use clone and openat. */
const [CLONE3, OPENAT2] = [435, 437];
/** Flags of clone and unshare that make new namespaces, in which a program has privileges again. */
export const NEW_NAMESPACES = 0x7e020000;
/** The sockets of virtual machines lead to their host, from every network namespace. */
export const AF_VSOCK = 40;
/** Set-user-id and set-group-id: outside, whoever runs such a file would be the user of the sandbox, even root. */
const SET_ID = 0o6000;
/** O_CREAT and O_TMPFILE. Without them a call has no mode. */
const CREATES = 0o20000100;
/** Numbers of the x32 interface, a second way to call everything. */
const X32 = 0x40000000;

const [LOAD, EQUAL, GREATER_OR_EQUAL, ANY_BIT, RETURN] = [0x20, 0x15, 0x35, 0x45, 0x06];
const [NUMBER_AT, MACHINE_AT, ARGUMENTS_AT, ARGUMENT_BYTES] = [0, 4, 16, 8];
const [EPERM, ENOSYS] = [1, 38];
const ALLOW = 0x7fff0000;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];
/** What an argument of a call must be. */
type Test = readonly [argument: number, code: number, value: number];

/** Writes the filter for this machine to a folder and returns its path; null if we do not know the machine. */
export async function writeCallFilter(folder: string): Promise<string | null> {
  const filter = callFilter(process.arch);
  if (filter === null) return null;
  const path = join(folder, 'calls');
  await writeFile(path, filter);
  return path;
}

/** Builds the filter that the kernel applies to every call inside (a BPF program); null if we do not know the machine. */
export function callFilter(arch: string): Buffer | null {
  if (arch !== 'x64' && arch !== 'arm64') return null;
  const { audit, clone, unshare, socket, modes, opens } = MACHINES[arch];
  const numbers = (REFUSED[arch].match(/(?<= )\d+/g) ?? []).map(Number);
  const program: Instruction[] = [
    [LOAD, 0, 0, MACHINE_AT],
    [EQUAL, 1, 0, audit],
    refuse(ENOSYS),
    [LOAD, 0, 0, NUMBER_AT],
    [GREATER_OR_EQUAL, 0, 1, X32],
    refuse(ENOSYS),
    ...[CLONE3, OPENAT2].flatMap((number): Instruction[] => [[EQUAL, 0, 1, number], refuse(ENOSYS)]),
    ...numbers.flatMap((number): Instruction[] => [[EQUAL, 0, 1, number], refuse(EPERM)]),
    ...[clone, unshare].flatMap((number) => refuseIf(number, [0, ANY_BIT, NEW_NAMESPACES])),
    ...refuseIf(socket, [0, EQUAL, AF_VSOCK]),
    ...Object.entries(modes).flatMap(([number, mode]) => refuseIf(Number(number), [mode, ANY_BIT, SET_ID])),
    ...Object.entries(opens).flatMap(([number, mode]) =>
      refuseIf(Number(number), [mode - 1, ANY_BIT, CREATES], [mode, ANY_BIT, SET_ID]),
    ),
    [RETURN, 0, 0, ALLOW],
  ];
  return Buffer.concat(program.map(encode));
}

/** Refuses a call whose arguments pass all tests, and goes on with the number of the call. */
function refuseIf(number: number, ...tests: readonly Test[]): Instruction[] {
  return [
    [EQUAL, 0, 2 * tests.length + 2, number],
    ...tests.flatMap(([argument, code, value], index): Instruction[] => [
      [LOAD, 0, 0, ARGUMENTS_AT + argument * ARGUMENT_BYTES],
      [code, 0, 2 * (tests.length - index) - 1, value],
    ]),
    refuse(EPERM),
    [LOAD, 0, 0, NUMBER_AT],
  ];
}

function refuse(error: number): Instruction {
  return [RETURN, 0, 0, 0x00050000 | error];
}

function encode([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
