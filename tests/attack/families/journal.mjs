import { afterRed, byRed, JOURNAL, MINE, module } from '../parts.mjs';

const deed = (id, way, command, more = {}) => ({
  id,
  way,
  controls: 'an agent on the host',
  files: { 'mine.mjs': afterRed(command) },
  steps: [MINE],
  attacked: 'red',
  ...more,
});
const own = (id, way, command) => ({
  ...deed(id, way, command),
  files: { 'mine.mjs': byRed(command) },
});
const pass = `sed -i 's/"outcome":"failed"/"outcome":"passed"/; s/"passed":false/"passed":true/g' ${JOURNAL}`;
const later =
  "export const later = make('zlater');\nconst deed = make('deed', { agent: [onObjective('Do it').runs(DEED).says('Done.').completes()] });\nexport const all = [red, deed];";
const withLater = (command) => module(`const DEED = ${JSON.stringify(command)};\n${later}`);

/** The journal and the folder of the run, written by an agent while the run goes on. */
export const journal = [
  deed('truncated', 'empties the journal', `: > ${JOURNAL}`),
  deed('forged', 'turns failures in the journal into passes', pass),
  deed('renamed', 'replaces the journal by a forged copy', `cp ${JOURNAL} c; mv c ${JOURNAL}; ${pass}`),
  deed(
    'line-dropped',
    'drops the line of the failure',
    `grep -v '"outcome":"failed"' ${JOURNAL} > c; cat c > ${JOURNAL}`,
  ),
  deed('line-doubled', 'writes the last line twice', `tail -n 1 ${JOURNAL} > c; cat c >> ${JOURNAL}`),
  deed('lines-reversed', 'reverses the order of the lines', `tac ${JOURNAL} > c; cat c > ${JOURNAL}`),
  deed('foreign-line', 'appends a line that is no record', `echo hello >> ${JOURNAL}`),
  deed(
    'foreign-record',
    'appends a record of a pass',
    `grep '"outcome":"failed"' ${JOURNAL} | sed 's/"outcome":"failed"/"outcome":"passed"/; s/"passed":false/"passed":true/g; s/"attempt":1/"attempt":2/' >> ${JOURNAL}`,
  ),
  deed(
    'finished-early',
    'appends the end of the run',
    `echo '{"type":"run-finished","at":"2026-01-01T00:00:00.000Z","interrupted":false,"durationSeconds":1}' >> ${JOURNAL}`,
  ),
  deed(
    'interrupted-record',
    'appends an interrupt',
    `echo '{"type":"run-finished","at":"2026-01-01T00:00:00.000Z","interrupted":true,"durationSeconds":1}' >> ${JOURNAL}`,
  ),
  deed('half-line', 'cuts the last line in half', `truncate -s -40 ${JOURNAL}`),
  deed(
    'same-length',
    'changes one word and keeps the length',
    `sed -i 's/"outcome":"failed"/"outcome":"passed"/' ${JOURNAL}`,
  ),
  deed(
    'changed-and-back',
    'forges the journal and sets its times back',
    `touch -r ${JOURNAL} t; ${pass}; touch -r t ${JOURNAL}`,
  ),
  deed('fifo', 'puts a named pipe in its place', `j=${JOURNAL}; rm $j; mkfifo $j`),
  deed('dev-zero', 'puts a link to /dev/zero in its place', `j=${JOURNAL}; rm $j; ln -s /dev/zero $j`),
  deed('dev-null', 'puts a link to /dev/null in its place', `j=${JOURNAL}; rm $j; ln -s /dev/null $j`),
  deed(
    'symlink',
    'puts a link to a forged copy in its place',
    `j=${JOURNAL}; cp $j /tmp/forged-$$; ${pass}; mv $j copy; ln -s $PWD/copy $j`,
  ),
  deed('directory', 'puts a folder in its place', `j=${JOURNAL}; rm $j; mkdir $j`),
  deed('removed', 'removes the journal', `rm ${JOURNAL}`),
  deed('unreadable', 'makes the journal unreadable', `chmod 0 ${JOURNAL}; ${pass}`),
  deed('folder-removed', 'removes the folder of the run', 'rm -rf ../runs/*'),
  deed('folder-renamed', 'renames the folder of the run', 'mv ../runs/* ../moved'),
  deed(
    'folder-swapped',
    'puts a forged copy of the folder in its place',
    `r=$(echo ../runs/*); cp -r $r ../copy; mv $r ../old; mv ../copy $r; ${pass}`,
  ),
  deed(
    'runs-link',
    'replaces the folder of all runs by a link',
    'mv ../runs ../elsewhere; ln -s elsewhere ../runs',
  ),
  deed('runs-file', 'replaces the folder of all runs by a file', 'mv ../runs ../elsewhere; echo > ../runs'),
  deed('everything-removed', 'removes everything', 'rm -rf ../* ../.[!.]*'),
  deed('marker-removed', 'removes the marks of the folders', 'rm -f ../.ralph-e2e* ../runs/*/.ralph-e2e*'),
  deed('lock-removed', 'removes the lock of the folder', 'rm -rf ../.lock* ../lock*'),
  deed(
    'report-folders',
    'makes folders in the places of all reports',
    'mkdir -p ../report.json/x ../report.md/x ../failures.json/x ../report',
  ),
  deed(
    'summary-folder',
    'makes a folder in the place of the summary',
    'mkdir -p $(echo ../runs/*)/summary.json/x',
  ),
  deed(
    'reports-fifo',
    'makes pipes in the places of all reports',
    'mkfifo ../report.json ../report.md $(echo ../runs/*)/report.json $(echo ../runs/*)/summary.json',
  ),
  deed(
    'report-written',
    'writes a green report itself',
    `echo '{"passed":true}' > ../report.json; chmod 444 ../report.json; mkdir -p ../report; chmod 555 ../report`,
  ),
  deed('pages-link', 'links the folder of pages elsewhere', 'mkdir ../other; ln -s other ../report'),
  deed(
    'later-attempt-file',
    'puts a file in the place of a later attempt',
    'echo > $(echo ../runs/*)/zlater-claude',
    {
      files: { 'mine.mjs': withLater('echo > $(echo ../runs/*)/zlater-claude') },
    },
  ),
  deed('later-attempt-link', 'links the folder of a later attempt elsewhere', '', {
    files: { 'mine.mjs': withLater('mkdir ../else; ln -s ../../else $(echo ../runs/*)/zlater-claude') },
  }),
  deed(
    'calls-endless',
    'makes its call log endless',
    'f=$(echo ../runs/*/deed-claude/1/agent-calls.jsonl); rm $f; ln -s /dev/zero $f',
  ),
  own('own-truncated', 'empties the journal during its own test', `: > ${JOURNAL}`),
  own(
    'own-forged',
    'writes its own passed result',
    `grep run-started ${JOURNAL} >/dev/null; echo '{"type":"attempt-finished","at":"2026-01-01T00:00:00.000Z","scenarioId":"red","backend":"claude","attempt":1,"outcome":"passed","durationSeconds":1,"checks":[],"quality":[],"evidence":null,"error":null,"interrupted":false,"artifacts":"","workspace":null}' >> ${JOURNAL}`,
  ),
  own(
    'own-fifo',
    'puts a pipe in the place of the journal during its own test',
    `j=${JOURNAL}; rm $j; mkfifo $j`,
  ),
  own(
    'own-evidence',
    'writes a file in the place of its evidence',
    'mkfifo $(echo ../runs/*/red-claude/1)/evidence.json',
  ),
  own(
    'own-artifacts-removed',
    'removes the folder of its own attempt',
    'rm -rf $(echo ../runs/*/red-claude)',
  ),
  own(
    'own-stdout',
    'forges its captured output',
    'f=$(echo ../runs/*/red-claude/1/stdout.txt); echo LOOP_COMPLETE > $f',
  ),
  {
    id: 'earlier-run-forged',
    way: 'forges the journal of an earlier run, so that --last-failed has nothing to do',
    controls: 'an agent on the host, in a later run',
    files: {
      'mine.mjs': module('export const all = [red, green];'),
      'tamper.mjs': module(
        `export const t = make('green', { agent: [onObjective('Do it').runs(${JSON.stringify(`for j in ../runs/*/journal.jsonl; do sed -i 's/"outcome":"failed"/"outcome":"passed"/' $j; done`)}).says('Done.').completes()] });`,
      ),
    },
    steps: [MINE, MINE.replace('mine.mjs', 'tamper.mjs'), `${MINE} --last-failed`],
  },
  {
    id: 'earlier-run-removed',
    way: 'removes the journal of an earlier run, so that --last-failed has nothing to do',
    controls: 'an agent on the host, in a later run',
    files: {
      'mine.mjs': module('export const all = [red, green];'),
      'tamper.mjs': module(
        `export const t = make('green', { agent: [onObjective('Do it').runs("ls -d ../runs/* | head -n 1 | xargs rm -rf").says('Done.').completes()] });`,
      ),
    },
    steps: [MINE, MINE.replace('mine.mjs', 'tamper.mjs'), `${MINE} --last-failed`],
  },
  {
    id: 'earlier-run-emptied',
    way: 'empties the journal of an earlier run, so that --last-failed has nothing to do',
    controls: 'an agent on the host, in a later run',
    files: {
      'mine.mjs': module('export const all = [red, green];'),
      'tamper.mjs': module(
        `export const t = make('green', { agent: [onObjective('Do it').runs(": > $(ls -d ../runs/* | head -n 1)/journal.jsonl").says('Done.').completes()] });`,
      ),
    },
    steps: [MINE, MINE.replace('mine.mjs', 'tamper.mjs'), `${MINE} --last-failed`],
  },
  {
    id: 'shown-forged',
    way: 'a forged journal that is shown later',
    controls: 'whoever can write to the folder after the run',
    files: { 'mine.mjs': module('export const all = [red, green];') },
    steps: [
      MINE,
      `sed -i 's/"outcome":"failed"/"outcome":"passed"/; s/"passed":false/"passed":true/g' out/runs/*/journal.jsonl; $E2E show --output out`,
    ],
  },
  {
    id: 'shown-line-dropped',
    way: 'a journal without the line of the failure that is shown later',
    controls: 'whoever can write to the folder after the run',
    files: { 'mine.mjs': module('export const all = [red, green];') },
    steps: [
      MINE,
      `j=$(echo out/runs/*/journal.jsonl); grep -v '"outcome":"failed"' $j > c; cat c > $j; $E2E show --output out`,
    ],
  },
  {
    id: 'control',
    control: true,
    way: 'nobody touches anything',
    controls: 'nobody',
    files: { 'mine.mjs': module('export const all = [green];') },
    steps: [MINE],
  },
];
