import { afterRed, MINE, module } from '../parts.mjs';

const files = { 'mine.mjs': module('export const all = [red, green];') };
const place = (id, way, steps, more = {}) => ({
  id,
  way,
  controls: 'the machine',
  files,
  steps,
  attacked: 'red',
  ...more,
});
const agent = (id, way, deed, more = {}) => ({
  ...place(id, way, [MINE], more),
  controls: 'an agent on the host',
  files: { 'mine.mjs': afterRed(deed) },
});
/** Runs this with a small file system at \`disk\`, which is gone afterwards. */
const onDisk = (size, command) =>
  `mkdir disk; mount -t tmpfs -o ${size} tmpfs disk || exit 99; ${command}; rc=$?; umount disk; exit $rc`;
const TO_DISK = MINE.replace('--output out', '--output disk/out');
const disk = (id, way, size, command = TO_DISK, more = {}) =>
  place(id, way, [onDisk(size, command)], { needs: 'cage', ...more });
const FAILED = /FAILED: /;

/** Full disks, lost folders, long paths, closed outputs. */
export const environment = [
  disk('disk-4k', 'has 4 KB', 'size=4k'),
  disk('disk-64k', 'has 64 KB', 'size=64k'),
  disk('disk-128k', 'has 128 KB', 'size=128k'),
  disk('disk-256k', 'has 256 KB', 'size=256k'),
  disk('disk-384k', 'has 384 KB', 'size=384k'),
  disk('inodes-20', 'has 20 inodes', 'size=20m,nr_inodes=20'),
  disk('inodes-60', 'has 60 inodes', 'size=20m,nr_inodes=60'),
  disk('inodes-100', 'has 100 inodes', 'size=20m,nr_inodes=100'),
  disk('inodes-140', 'has 140 inodes', 'size=20m,nr_inodes=140'),
  disk('read-only', 'is read-only', 'size=1m,ro'),
  disk(
    'full-at-reports',
    'fills up before the reports are written, beside an older green report',
    'size=3m',
    `${TO_DISK} --filter green; f=$(df --output=avail -k disk | tail -n 1); head -c $(( (f - 260) * 1024 )) /dev/zero > disk/filler; ${TO_DISK} --filter red`,
    { report: 'disk/out/report.json' },
  ),
  agent(
    'disk-filled-by-agent',
    'fills the disk during the run',
    'head -c 100000000 /dev/zero > ../fill 2>/dev/null; true',
    {
      steps: [onDisk('size=4m', TO_DISK)],
      needs: 'cage',
    },
  ),
  place('file-size-limit', 'limits the size of files', [`ulimit -f 8; ${MINE}`]),
  place('file-size-tiny', 'limits the size of files to almost nothing', [`ulimit -f 1; ${MINE}`]),
  place('open-files-limit', 'limits the number of open files', [`ulimit -n 30; ${MINE}`]),
  place('stdout-full', 'prints to a full device', [`${MINE} > /dev/full`]),
  place('stdout-full-json', 'prints JSON to a full device', [`${MINE} --json > /dev/full`]),
  place(
    'green-stdout-full-json',
    'prints JSON of a green run to a full device',
    [`${MINE} --filter green --json > /dev/full`],
    { attacked: null, report: null },
  ),
  place('stdout-closed', 'closes stdout', [`${MINE} >&-`]),
  place('stderr-closed', 'closes stderr', [`${MINE} 2>&-`]),
  place('stdio-closed', 'closes everything', [`${MINE} <&- >&- 2>&-`]),
  place('stdout-gone', 'stops reading stdout', [
    `( ${MINE}; echo $? > rc ) | head -n 1 > /dev/null; while [ ! -s rc ]; do :; done; exit $(cat rc)`,
  ]),
  place(
    'path-long',
    'uses a path of more than 235 characters',
    [
      `p=$(printf 'a%.0s' $(seq 120))/$(printf 'b%.0s' $(seq 120)); ${MINE.replace('--output out', '--output $p')} --filter red`,
    ],
    { report: null, prints: /FAILED: |path/ },
  ),
  place(
    'path-too-long',
    'uses a path that is too long for the system',
    [
      `p=$(for i in $(seq 30); do printf 'a%.0s' $(seq 200); printf /; done); ${MINE.replace('--output out', '--output $p')}`,
    ],
    { report: null },
  ),
  place(
    'name-too-long',
    'uses a name that is too long',
    [`p=$(printf 'a%.0s' $(seq 300)); ${MINE.replace('--output out', '--output $p')}`],
    { report: null },
  ),
  place('output-file', 'names a file as the output folder', [`echo > out; ${MINE}`], { report: null }),
  place('output-link-loop', 'names a link to itself as the output folder', [`ln -s out out; ${MINE}`], {
    report: null,
  }),
  place(
    'output-dev-null',
    'names a device as the output folder',
    [MINE.replace('--output out', '--output /dev/null')],
    {
      report: null,
    },
  ),
  place(
    'output-proc',
    'names a folder in which nothing can be made',
    [MINE.replace('--output out', '--output /proc/none')],
    {
      report: null,
    },
  ),
  place(
    'output-foreign',
    'names a folder with files of somebody else',
    [`mkdir out; echo x > out/mine.txt; ${MINE}`],
    { report: null },
  ),
  place('runs-link', 'has a link in the place of the runs', [
    MINE,
    `mv out/runs elsewhere; ln -s ../elsewhere out/runs; ${MINE}`,
  ]),
  place('runs-file', 'has a file in the place of the runs', [
    MINE,
    `rm -rf out/runs; echo > out/runs; ${MINE}`,
  ]),
  place(
    'report-folder',
    'has folders in the places of reports',
    [
      `${MINE} --filter green`,
      `rm out/report.json out/report.md; mkdir -p out/report.json/x out/report.md/x; ${MINE}`,
    ],
    { prints: FAILED },
  ),
  place('home-missing', 'has no home', [`HOME=/nonexistent ${MINE}`]),
  place('tmp-missing', 'has no folder for temporary files', [`TMPDIR=/nonexistent ${MINE}`]),
  place('path-empty', 'has nothing on PATH', [
    `n=$(command -v node); PATH=/nonexistent $n $CLI claude --mock --ralph embedded --skip-analysis -j 1 --output out --scenarios mine.mjs`,
  ]),
  place('node-options', 'gives Node an unknown option', [`NODE_OPTIONS=--no-such-option ${MINE}`], {
    report: null,
    foreign: true,
  }),
  place('heap-small', 'has little memory', [`NODE_OPTIONS=--max-old-space-size=24 ${MINE}`], {
    foreign: true,
  }),
  place('clock-back', 'has reports from the future', [
    `${MINE} --filter green`,
    `touch -d 2090-01-01 out/report.json out/runs/*; ${MINE}`,
  ]),
  agent('folder-lost', 'loses the output folder during the run', 'rm -rf ../../out', {
    report: null,
    prints: FAILED,
  }),
  agent(
    'folder-lost-and-file',
    'has a file in the place of the output folder during the run',
    'cd ../..; rm -rf out; echo > out',
    { report: null, prints: FAILED },
  ),
  agent(
    'folder-read-only',
    'has a read-only output folder during the run',
    'cd ..; chattr +i . 2>/dev/null; chmod 555 . runs',
    { steps: [`${MINE}; rc=$?; chattr -i out 2>/dev/null; chmod 755 out out/runs; exit $rc`] },
  ),
  agent('folder-moved', 'has its output folder moved during the run', 'cd ../..; mv out moved', {
    report: null,
    prints: FAILED,
  }),
  place(
    'killed',
    'is killed during the run',
    [
      `${MINE} --filter green`,
      `( ${MINE} & p=$!; while kill -0 $p && ! ls out/runs/*/red-claude >/dev/null 2>&1; do :; done; kill -9 $p; wait $p ); $E2E show --output out | tee shown; grep -q PASSED shown && exit 0; exit 1`,
    ],
    { report: null },
  ),
  {
    ...place('control-path-long', 'uses a path of more than 235 characters, and is sound', [
      `p=$(printf 'a%.0s' $(seq 120))/$(printf 'b%.0s' $(seq 120)); ${MINE.replace('--output out', '--output $p')} --filter green`,
    ]),
    attacked: null,
    control: true,
  },
  { ...place('control', 'is sound', [`${MINE} --filter green`]), attacked: null, control: true },
  {
    ...disk('control-disk', 'has 20 MB', 'size=20m', `${TO_DISK} --filter green`),
    attacked: null,
    control: true,
  },
];
