import { forged, MINE, module } from '../parts.mjs';

const RALPH = MINE.replace('--ralph embedded', '--ralph ./ralph');
const script = (body) => `#!/bin/sh\n${body}\n`;
const VERSION = 'case "$1" in --version) echo "ralph 2.10.1"; exit 0;; esac';
const REAL = '@STANDIN@ "$@"';
/** A program that is given as Ralph. */
const target = (id, way, body, more = {}) => ({
  id,
  way,
  controls: 'the program under test',
  files: { 'mine.mjs': module('export const all = [green];'), ralph: script(body) },
  steps: [`chmod +x ralph; ${RALPH}`],
  attacked: 'green',
  ...more,
});
const deed = (command, more = '') =>
  module(
    `export const all = [make('aa-deed', { agent: [onObjective('Do it').runs(${JSON.stringify(command)}).says('Done.').completes()] }), green];${more}`,
  );

/** Answers what the check wants, after it has put the right program back. */
const liar = (putBack) => `printf "#!/bin/sh\\n${putBack}; echo two events\\n" > r2; chmod +x r2`;
/** An agent that lets something else answer the command after it. */
const answered = (id, way, deed, more = {}) =>
  target(id, way, '', {
    files: {
      'mine.mjs': forged(`completed(), errandAnswered('events', { stdout: 'two events' })`, deed, {
        plan: `after: [{ ralph: ['events'] }]`,
      }),
      'bin/ralph': script(`${VERSION}\n${REAL}`),
    },
    steps: [`chmod +x bin/ralph; ${RALPH.replace('./ralph', './bin/ralph')}`],
    attacked: 'forged',
    ...more,
  });

/** Programs that are not the Ralph that they say they are. */
export const targets = [
  target('exits-0', 'exits with 0 and does nothing', `${VERSION}\nexit 0`),
  target('true', 'is /bin/true', '', { steps: [MINE.replace('--ralph embedded', '--ralph /bin/true')] }),
  target('missing', 'does not exist', '', { steps: [MINE.replace('--ralph embedded', '--ralph ./nothing')] }),
  target('not-executable', 'is not executable', 'exit 0', { steps: [RALPH] }),
  target('folder', 'is a folder', '', { steps: [MINE.replace('--ralph embedded', '--ralph .')] }),
  target('no-version', 'has no version', 'exit 0'),
  target('version-fails', 'prints a version and fails', 'echo "ralph 2.10.1"; exit 1'),
  target('hangs', 'hangs when it is asked for its version', 'sleep 100'),
  target(
    'prints-completion',
    'prints that the loop completed',
    `${VERSION}\nprintf '| Loop terminated: Completion promise detected\\nLOOP_COMPLETE\\n'`,
  ),
  target(
    'writes-record',
    'writes a record of completion without an agent',
    `${VERSION}
mkdir -p .ralph; echo .ralph/e.jsonl > .ralph/current-events
echo '{"ts":"2099-01-01T00:00:00Z","iteration":0,"hat":"loop","topic":"task.start","payload":"x"}' > .ralph/e.jsonl
echo '{"ts":"2099-01-01T00:00:00Z","iteration":1,"hat":"loop","topic":"loop.terminate","payload":"## Reason\\ncompleted\\n\\n## Status\\nok\\n\\n## Summary\\n- Iterations: 1\\n- Exit code: 0"}' >> .ralph/e.jsonl`,
  ),
  target(
    'writes-everything',
    'writes and prints everything itself and never calls an agent',
    `${VERSION}
mkdir -p .ralph; echo .ralph/e.jsonl > .ralph/current-events
echo '{"ts":"2099-01-01T00:00:00Z","iteration":0,"hat":"loop","topic":"task.start","payload":"x"}' > .ralph/e.jsonl
echo '{"ts":"2099-01-01T00:00:00Z","iteration":1,"hat":"loop","topic":"iteration.summary","payload":"{\\"duration_ms\\":10}"}' >> .ralph/e.jsonl
echo '{"ts":"2099-01-01T00:00:00Z","iteration":1,"hat":"loop","topic":"loop.terminate","payload":"## Reason\\ncompleted\\n\\n## Status\\nok\\n\\n## Summary\\n- Iterations: 1\\n- Exit code: 0"}' >> .ralph/e.jsonl
r=$(printf '=%.0s' $(seq 79)); printf '%s\\n ITERATION 1 | ? ralph | 0s elapsed | 1/3\\n%s\\nDone.\\nLOOP_COMPLETE\\n[iter 1/3 done] dur=0s total=0s budget=33%%\\n' $r $r
printf '| ? Loop terminated: Completion promise detected\\n'`,
  ),
  target('killed', 'kills itself', `${VERSION}\nkill -9 $$`),
  target('kills-harness', 'kills the harness', `${VERSION}\nkill -9 $PPID`, { needs: 'cage' }),
  target('interrupts-harness', 'interrupts the harness', `${VERSION}\nkill -INT $PPID; sleep 5`, {
    needs: 'cage',
  }),
  target(
    'forks-and-exits',
    'leaves a process',
    `${VERSION}\n${REAL}; rc=$?; sleep 30 >/dev/null 2>&1 & exit $rc`,
  ),
  target('wrong-exit', 'runs well and exits with 1', `${VERSION}\n${REAL}; exit 1`),
  target('panic', 'exits as a panic does', `${VERSION}\nexit 101`),
  target('replaced', 'is replaced by an agent during the run', `${VERSION}\n${REAL}`, {
    files: {
      'mine.mjs': deed(
        'printf "#!/bin/sh\\nexec @STANDIN@ \\"\\$@\\"\\n# other\\n" > ../../r2; chmod +x ../../r2; mv ../../r2 ../../ralph',
      ),
      ralph: script(`${VERSION}\n${REAL}`),
    },
  }),
  target('put-back', 'is replaced by an agent, and puts the right one back when it is started', '', {
    files: {
      'mine.mjs': deed(
        'cd ../..; cp -p ralph r0; printf "#!/bin/sh\\nmv $PWD/r0 $PWD/ralph; exec @STANDIN@ \\"\\$@\\"\\n" > r2; chmod +x r2; mv r2 ralph',
      ),
      ralph: script(`${VERSION}\n${REAL}`),
    },
  }),
  answered(
    'put-back-in-attempt',
    'is replaced by an agent for the command after it, and puts the right one back',
    `cd ../../bin; cp -p ralph r0; ${liar('mv $PWD/r0 $PWD/ralph')}; mv r2 ralph`,
  ),
  answered(
    'put-back-with-folder',
    'is replaced with its folder for the command after the agent, and puts the right folder back',
    `cd ../..; ${liar('cd $PWD; rm -r bin; mv bin0 bin')}; mv bin bin0; mkdir bin; mv r2 bin/ralph`,
  ),
  target('put-back-in-loop', 'is changed by an agent, which puts the right one back at once', '', {
    files: {
      'mine.mjs': deed('cd ../..; cp -p ralph r0; echo "# other" >> ralph; mv r0 ralph'),
      ralph: script(`${VERSION}\n${REAL}`),
    },
  }),
  answered(
    'mounted-over',
    'has another program mounted over it by an agent',
    `cd ../../bin; ${liar(':')}; mount --bind r2 ralph`,
    { needs: 'cage' },
  ),
  target('overwritten', 'is overwritten by an agent during the run', '', {
    files: {
      'mine.mjs': deed('echo "# other" >> ../../ralph'),
      ralph: script(`${VERSION}\n${REAL}`),
    },
  }),
  target('removed', 'is removed by an agent during the run', '', {
    files: { 'mine.mjs': deed('rm -f ../../ralph'), ralph: script(`${VERSION}\n${REAL}`) },
  }),
  answered(
    'control-linked',
    'gets another name from an agent, and answers the truth',
    'ln ../../bin/ralph ../../r0',
    {
      files: {
        'mine.mjs': forged(
          `completed(), errandAnswered('events', { exitCode: 0 })`,
          'ln ../../bin/ralph ../../r0',
          {
            plan: `after: [{ ralph: ['events'] }]`,
          },
        ),
        'bin/ralph': script(`${VERSION}\n${REAL}`),
      },
      attacked: null,
      control: true,
    },
  ),
  { ...target('control', 'passes everything on', `${VERSION}\n${REAL}`), attacked: null, control: true },
];
