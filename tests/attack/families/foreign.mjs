import { MINE, module } from '../parts.mjs';

/** Changes the records of the run in `out`, and computes all hashes again. With `cut`, its end is lost. */
const RESEAL = `
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const [run] = fs.readdirSync('out/runs');
const journal = 'out/runs/' + run + '/journal.jsonl';
const [, , code, cut] = process.argv;
let records = fs.readFileSync(journal, 'utf8').trim().split('\\n').map((line) => JSON.parse(line));
if (cut) {
  records = records.slice(0, -1);
  fs.rmSync('out/runs/' + run + '/summary.json');
}
const hash = (text) => createHash('sha256').update(text).digest('hex');
const all = (type) => records.filter((record) => record.type === type);
const attempts = all('attempt-finished');
new Function('started', 'attempts', 'fs', 'hash', code)(all('run-started')[0], attempts, fs, hash);
let seal = '';
const lines = records.map(({ seal: _, ...record }) => {
  const json = JSON.stringify(record);
  seal = hash(seal + '\\n' + json).slice(0, 32);
  return json.slice(0, -1) + ',"seal":"' + seal + '"}\\n';
});
fs.writeFileSync(journal, lines.join(''));
`;
const EVIL = "require('node:fs').writeFileSync('ran', '');\n";
const files = {
  'mine.mjs': module('export const all = [red, green];'),
  'green.mjs': module('export const all = [green, make("other")];'),
  'evil.cjs': EVIL,
  'evil.sh': '#!/bin/sh\ntouch HERE/ran\nexec @STANDIN@ "$@"\n',
  'reseal.cjs': RESEAL,
};
const GREEN = MINE.replace('mine.mjs', 'green.mjs');
const reseal = (code, cut = '') => `node reseal.cjs '${code}' ${cut}`;

/** The judged command is successful if the attack is. */
const foreign = (id, way, steps, more = {}) => ({
  id,
  way,
  controls: 'the folder of a run, with the right hashes',
  files,
  steps,
  ...more,
});
const resumed = (id, way, code) =>
  foreign(id, way, [
    GREEN,
    `sed -i "s|HERE|$PWD|" evil.sh; chmod +x evil.sh; ${reseal(code, 'cut')}; $E2E resume --output out; test -e ran`,
  ]);
const printed = (id, way, code, command) =>
  foreign(id, way, [MINE, `${reseal(code)}; $E2E ${command} --output out | grep EVIL`], {
    report: null,
  });
const shown = (id, way, code) => foreign(id, way, [GREEN, `${reseal(code)}; $E2E show --output out`]);
const evilFile =
  'started.files=[{path:process.cwd()+"/evil.cjs",sha256:hash(fs.readFileSync("evil.cjs"))}];started.call.scenarios=[];';

/** A run's folder that somebody else made. */
export const foreignRuns = [
  resumed(
    'resumed-module',
    'lets resume load a module',
    `${evilFile}started.call.scenarios=[process.cwd()+"/evil.cjs"]`,
  ),
  resumed(
    'resumed-added-module',
    'lets resume load a module with the catalog',
    `${evilFile}started.call.scenarios=null;started.call.addScenarios=[process.cwd()+"/evil.cjs"]`,
  ),
  resumed(
    'resumed-ralph',
    'lets resume start a Ralph',
    'started.target={kind:"real",path:process.cwd()+"/evil.sh",version:"2.10.1",sha256:hash(fs.readFileSync("evil.sh"))}',
  ),
  printed('shown-program', 'lets show print a program', 'started.program=["EVIL"]', 'show --format json'),
  printed('shown-ralph', 'lets show print a Ralph', 'started.repeatWith=["--ralph","EVIL"]', 'show --prompt'),
  printed(
    'shown-folder',
    'lets show print a folder to start in',
    'started.environment.startedIn="/EVIL"',
    'show red',
  ),
  shown('passed-beside-failed', 'passed beside a failed check', 'attempts[0].checks[0].passed=false'),
  shown('passed-without-checks', 'passed without a check', 'attempts[0].checks=[]'),
  shown(
    'known-issue-unplanned',
    'broke a known issue that nobody planned',
    'attempts[0].outcome="known-issue";attempts[0].checks[0].passed=false',
  ),
  foreign('retried-too-often', 'passed in a retry that nobody allowed', [
    `${MINE} --retries 1 --filter red`,
    `${reseal('started.call.retries=0;attempts[1].outcome="passed";for(const c of attempts[1].checks)c.passed=true')}; $E2E show --output out`,
  ]),
  foreign(
    'control',
    'lost its end, as if it was killed',
    [
      GREEN,
      `j=$(echo out/runs/*); sed -i '$d' $j/journal.jsonl; rm $j/summary.json; $E2E resume --output out`,
    ],
    { control: true },
  ),
];
