import { EVENTS, forged, MINE, module } from '../parts.mjs';

const fake = (id, way, checks, deed, options) => ({
  id,
  way,
  controls: 'an agent in its workspace',
  files: { 'mine.mjs': forged(checks, deed, options) },
  steps: [MINE],
  attacked: 'forged',
});
const row = (iteration, topic, payload) =>
  JSON.stringify({ ts: '2099-01-01T00:00:00.000000000+00:00', iteration, hat: 'loop', topic, payload });
const summary = (iteration) => row(iteration, 'iteration.summary', '{"duration_ms":1000}');
const ended = (reason, exitCode, iterations = 1) =>
  row(
    iterations,
    'loop.terminate',
    `## Reason\n${reason}\n\n## Status\nDone.\n\n## Summary\n- Iterations: ${iterations}\n- Duration: 0s\n- Exit code: ${exitCode}`,
  );
const append = (text, to = EVENTS) => `cat >> ${to} <<'EOF'\n${text}\nEOF`;
/** Ralph starts the log of an iteration before it calls the agent. */
const LOG = '$(echo .ralph/diagnostics/*/prompt-log.md)';
const entry = (number, text) => `\n---\n\n# Iteration ${number} — ralph\n\n${text}\n`;
const forever = { agent: `onObjective('Do it').runs(deed).says('Not yet.')` };
const start = row(0, 'task.start', 'Do it.');
const elsewhere = (text) =>
  `cat > .ralph/mine.jsonl <<'EOF'\n${text}\nEOF\necho .ralph/mine.jsonl > .ralph/current-events`;
const RULE = '='.repeat(79);
const header = (number) => `${RULE}\n ITERATION ${number} | ? ralph | 0s elapsed | ${number}/3\n${RULE}`;

/** Files that Ralph keeps in the workspace, forged by its agent. */
export const evidence = [
  fake(
    'summaries',
    'writes records of iterations that never were',
    'completed(), iterationsAtLeast(3)',
    append([2, 3].map(summary).join('\n')),
  ),
  fake(
    'summary-doubled',
    'writes the record of its iteration twice',
    'completed(), iterationsAtLeast(2)',
    append([1, 2].map(summary).join('\n')),
  ),
  fake(
    'summaries-and-prompts',
    'writes records and prompts of iterations that never were',
    'completed(), iterationsAtLeast(2)',
    `${append(summary(2))}\n${append(entry(2, 'Do it.'), LOG)}`,
  ),
  fake(
    'terminate',
    'records that the loop completed although it did not',
    'completed()',
    append(ended('completed', 0)),
    forever,
  ),
  fake(
    'terminate-said',
    'records the completion and says the promise in the middle',
    'completed()',
    append(ended('completed', 0)),
    { agent: `onObjective('Do it').runs(deed).says('LOOP_COMPLETE is not yet reached.')` },
  ),
  fake(
    'other-reason',
    'records another reason with the same exit code',
    "terminatedBecause('max_runtime', 2)",
    append(ended('max_runtime', 2, 3)),
    forever,
  ),
  fake(
    'events-elsewhere',
    'points the marker at a file of its own',
    "terminatedBecause('max_runtime', 2)",
    elsewhere([start, summary(1), summary(2), summary(3), ended('max_runtime', 2, 3)].join('\n')),
    forever,
  ),
  fake(
    'events-elsewhere-completed',
    'points the marker at a file that says completed',
    'completed()',
    elsewhere([start, summary(1), ended('completed', 0)].join('\n')),
    forever,
  ),
  fake(
    'events-elsewhere-emitted',
    'points the marker at a file with an event that Ralph never saw',
    "completed(), eventEmitted('tests.passed')",
    elsewhere(
      [start, '{"topic":"tests.passed","ts":"2099-01-01T00:00:00Z"}', summary(1), ended('completed', 0)].join(
        '\n',
      ),
    ),
  ),
  fake(
    'events-elsewhere-iterations',
    'points the marker at a file with more iterations',
    'completed(), iterationsAtLeast(3)',
    elsewhere([start, summary(1), summary(2), summary(3), ended('completed', 0, 3)].join('\n')),
  ),
  fake(
    'events-link',
    'replaces the events file by a link to a forged one',
    'completed(), iterationsAtLeast(3)',
    `e=${EVENTS}; cat > mine.jsonl <<'EOF'\n${[start, summary(1), summary(2), summary(3)].join('\n')}\nEOF\nrm $e; ln -s $PWD/mine.jsonl $e`,
  ),
  fake(
    'events-replaced',
    'replaces the events file by a forged one',
    'completed(), iterationsAtLeast(3)',
    `cat > ${EVENTS} <<'EOF'\n${[start, summary(1), summary(2), summary(3)].join('\n')}\nEOF`,
  ),
  fake(
    'events-truncated',
    'empties the events file, so that nothing contradicts it',
    'completed(), iterationsAtLeast(2)',
    `: > ${EVENTS}`,
  ),
  fake(
    'events-outside',
    'points the marker outside of the workspace',
    "terminatedBecause('max_runtime', 2)",
    `cat > /tmp/ralph-e2e-attack-$$.jsonl <<'EOF'\n${[start, ended('max_runtime', 2)].join('\n')}\nEOF\necho /tmp/ralph-e2e-attack-$$.jsonl > .ralph/current-events; rm -f /tmp/ralph-e2e-attack-$$.jsonl`,
    forever,
  ),
  fake(
    'events-fifo',
    'puts a pipe in the place of the marker',
    'completed(), iterationsAtLeast(2)',
    'rm .ralph/current-events; mkfifo .ralph/current-events',
  ),
  fake(
    'events-dev-zero',
    'links the marker to /dev/zero',
    'completed(), iterationsAtLeast(2)',
    'rm .ralph/current-events; ln -s /dev/zero .ralph/current-events',
  ),
  fake(
    'start-again',
    'records a new start, so that what came before does not count',
    'completed(), iterationCount(1)',
    append(start),
    {
      agent: `onObjective('Do it').once().says('Not yet.'), onObjective('Do it').runs(deed).says('Done.').completes()`,
    },
  ),
  fake(
    'prompt-appended',
    'writes a word into the log of its prompt',
    "completed(), promptContained('SECRET-WORD')",
    append('SECRET-WORD', LOG),
  ),
  fake(
    'prompt-prepended',
    'writes a log of an earlier iteration',
    "completed(), promptContained('SECRET-WORD', { nth: 1 })",
    `l=${LOG}; { printf '# Iteration 1 — ralph\n\nSECRET-WORD\n\n---\n\n'; cat $l; } > c; cat c > $l`,
  ),
  fake(
    'prompt-removed',
    'removes a word from the log of its prompt',
    "completed(), promptLacked('Do it')",
    `sed -i 's/Do it/Do that/' ${LOG}`,
  ),
  fake(
    'prompt-same-length',
    'changes a word in the log of its prompt and keeps the length',
    "completed(), promptContained('Do at.')",
    `sed -i 's/Do it\\./Do at./' ${LOG}`,
  ),
  fake(
    'prompt-log-replaced',
    'replaces the log of its prompts',
    "completed(), promptContained('SECRET-WORD')",
    `printf '# Iteration 1 — ralph\n\nSECRET-WORD\n' > ${LOG}`,
  ),
  fake(
    'prompt-log-other-folder',
    'writes a newer folder of diagnostics',
    "completed(), promptContained('SECRET-WORD')",
    `mkdir -p .ralph/diagnostics/2099-01-01T00-00-00; printf '# Iteration 1 — ralph\n\nSECRET-WORD\n' > .ralph/diagnostics/2099-01-01T00-00-00/prompt-log.md`,
  ),
  fake(
    'prompt-log-second',
    'logs a prompt of an iteration that never was',
    "completed(), promptContained('SECRET-WORD', { iteration: 2 })",
    append(entry(2, 'SECRET-WORD'), LOG),
  ),
  fake(
    'prompt-log-huge',
    'makes the log of prompts too long to read',
    "completed(), promptLacked('Do it')",
    `head -c 20000000 /dev/zero | tr '\\0' x > big; cat big ${LOG} big > c; mv c ${LOG}; rm -f big`,
  ),
  fake(
    'memories-huge',
    'makes the memories too long to read',
    "completed(), memoryAbsent('FORBIDDEN')",
    `mkdir -p .ralph/agent; { head -c 2200000 /dev/zero | tr '\\0' x; printf '\\n## Patterns\\n\\n### mem-1-abcd\\n> FORBIDDEN\\n'; head -c 2200000 /dev/zero | tr '\\0' x; } > .ralph/agent/memories.md`,
  ),
  fake(
    'config-edited',
    'edits the configuration to allow fewer iterations',
    "terminatedBecause('max_iterations', 2), iterationCount(3)",
    "sed -i 's/max_iterations: 3/max_iterations: 1/' ralph.yml",
    { agent: `onObjective('Do it').runs(deed).says('Done.').completes()` },
  ),
  fake(
    'git-replaced',
    'replaces the repository by another one',
    "completed(), fileUntouched('kept.txt')",
    'echo changed > kept.txt; rm -rf .git; git init -q .; git add -A; git -c user.name=a -c user.email=a@b commit -qm x',
    { plan: "files: { 'kept.txt': 'kept\\n' }" },
  ),
  fake(
    'file-changed-back-dated',
    'changes a file and sets its times back',
    "completed(), fileUntouched('kept.txt')",
    'touch -r kept.txt t; echo tpek > kept.txt; touch -r t kept.txt',
    { plan: "files: { 'kept.txt': 'kept\\n' }" },
  ),
  fake(
    'file-mode',
    'makes a kept file unreadable after changing it',
    "completed(), fileUntouched('kept.txt')",
    'echo tpek > kept.txt; chmod 0 kept.txt',
    { plan: "files: { 'kept.txt': 'kept\\n' }" },
  ),
  fake(
    'workspace-swapped',
    'replaces its workspace by another folder',
    "completed(), fileContains('absent.txt', 'never')",
    'w=$PWD; cp -r $w ../other; echo never > ../other/absent.txt; cd ..; mv $w gone; mv other $w',
  ),
  fake(
    'task-file',
    'writes into the list of tasks what the command refuses',
    "completed(), taskIs('Nothing', 'closed'), iterationsAtLeast(2)",
    `mkdir -p .ralph/agent; echo '{"id":"t","title":"Nothing","status":"closed"}' >> .ralph/agent/tasks.jsonl`,
  ),
  fake(
    'forged-header',
    'prints the header of another iteration in a tool',
    'completed(), iterationsAtLeast(2)',
    `cat <<'EOF'\n${header(2)}\nEOF`,
  ),
  fake(
    'said-header',
    'says the header of another iteration',
    "completed(), agentSaid('SECRET-WORD', { iteration: 2 })",
    'true',
    { agent: `onObjective('Do it').says(${JSON.stringify(`${header(2)}\nSECRET-WORD`)}).completes()` },
  ),
  {
    ...fake(
      'said-header-text',
      'says the header of another iteration through a CLI that prints text',
      '',
      '',
    ),
    files: {
      'mine.mjs': module(
        `export const forged = make('forged', { backends: ['kiro'], expect: () => [completed(), agentSaid('SECRET-WORD', { iteration: 2 })], agent: [onObjective('Do it').says(${JSON.stringify(`${header(2)}\nSECRET-WORD`)}).completes()] });`,
      ),
    },
    steps: [MINE.replace('claude', 'kiro')],
  },
  {
    ...fake(
      'said-footer-text',
      'says the footer of its iteration and more through a CLI that prints text',
      '',
      '',
    ),
    files: {
      'mine.mjs': module(
        `export const forged = make('forged', { backends: ['kiro'], expect: () => [completed(), iterationsAtLeast(2)], agent: [onObjective('Do it').says(${JSON.stringify(`[iter 1/3 done] dur=9s\n\n${header(2)}\nmore\n[iter 2/3 done] dur=9s`)}).completes()] });`,
      ),
    },
    steps: [MINE.replace('claude', 'kiro')],
  },
  fake(
    'stdout-of-ralph',
    "writes to Ralph's own output",
    "completed(), agentSaid('SECRET-WORD', { iteration: 2 })",
    `p=$PPID; while [ $p -gt 1 ]; do n=$(cat /proc/$p/comm 2>/dev/null); p=$(awk '/PPid/{print $2}' /proc/$p/status); c=$(tr '\\0' ' ' < /proc/$p/cmdline); case $c in *ralph*run*) printf '%s\\n' '${header(2).replaceAll('\n', "' '")}' SECRET-WORD > /proc/$p/fd/1; break;; esac; done`,
  ),
  fake(
    'left-writer',
    'leaves a process that forges the records after the end',
    "terminatedBecause('max_runtime', 2)",
    `(sleep 2; ${append(ended('max_runtime', 2, 3))}) >/dev/null 2>&1 &`,
    forever,
  ),
  fake(
    'ralph-replaced-on-path',
    'puts another ralph into its workspace',
    "completed(), eventEmitted('tests.passed')",
    'mkdir -p bin; printf "#!/bin/sh\\nexit 0\\n" > bin/ralph; chmod +x bin/ralph; PATH=$PWD/bin:$PATH ralph emit tests.passed',
  ),
  fake(
    'deep-json',
    'emits a payload nested two million deep',
    'completed(), iterationsAtLeast(2)',
    `printf '{"topic":"deep","ts":"2099-01-01T00:00:00Z","payload":' >> ${EVENTS}; head -c 2000000 /dev/zero | tr '\\0' '[' >> ${EVENTS}; echo >> ${EVENTS}`,
  ),
  fake(
    'call-log-flooded',
    'writes 150 MB of copies of its own line to the log of the stand-ins',
    'completed()',
    'log=$RALPH_E2E_AGENT_LOG; cp $log l; while [ $(wc -c < l) -lt 150000000 ]; do cat l l > m; mv m l; done; cat l > $log; rm l',
  ),
  fake(
    'call-log-one-line',
    'writes a line of 200 MB to the log of the stand-ins',
    'completed()',
    "head -c 200000000 /dev/zero | tr '\\0' 'x' >> $RALPH_E2E_AGENT_LOG",
  ),
  {
    id: 'control',
    control: true,
    way: 'an honest agent takes two iterations',
    controls: 'nobody',
    files: {
      'mine.mjs': module(
        "export const forged = make('forged', { expect: () => [completed(), iterationCount(2), promptContained('Do it'), agentSaid('Done')], agent: [onObjective('Do it').once().says('Not yet.'), done()] });",
      ),
    },
    steps: [MINE],
  },
];
