import { MINE, module } from '../parts.mjs';

const files = { 'mine.mjs': module("export const all = [green, make('other')];") };
/** Makes a passed report, then a second file from it with this jq-like change, and compares. */
const change = (code) =>
  `node -e '${`const fs=require("node:fs");const r=JSON.parse(fs.readFileSync("out/report.json","utf8"));r.run_id="other";${code};fs.writeFileSync("b.json",JSON.stringify(r))`}'`;
const against = (id, way, code) => ({
  id,
  way,
  controls: 'the files that are compared',
  files,
  steps: [MINE, `${change(code)}; $E2E compare out/report.json b.json`],
});
const file = (id, way, make) => ({
  id,
  way,
  controls: 'the files that are compared',
  files,
  steps: [MINE, `${make}; $E2E compare out/report.json b.json`],
});
const emptied = 'r.results=[];r.summary.total=0;r.summary.passed=0';

/** Reports that say nothing, compared with one that passed. */
export const compare = [
  against('empty', 'has no results', emptied),
  against(
    'empty-interrupted',
    'was interrupted before it had results',
    `${emptied};r.interrupted=true;r.passed=false`,
  ),
  against('interrupted', 'was interrupted', 'r.interrupted=true;r.passed=false'),
  against(
    'all-skipped',
    'skipped everything',
    'for(const x of r.results){x.outcome="skipped";x.passed=false;x.skip_reason="x"}',
  ),
  against(
    'other-catalog',
    'has other tests',
    'for(const x of r.results)x.scenario_id="other-"+x.scenario_id',
  ),
  against(
    'other-tests',
    'has tests with the same names that check something else',
    'for(const x of r.results)x.scenario_hash="0000"',
  ),
  against('run-error', 'has an error of the run', 'r.run_errors=["the journal was changed"];r.passed=false'),
  against(
    'inconclusive',
    'has nothing but inconclusive results',
    'for(const x of r.results){x.outcome="failed";x.passed=false;x.inconclusive=true}',
  ),
  against(
    'doubled',
    'has a failure and a pass of one test',
    'r.results=r.results.flatMap((x)=>[{...x,outcome:"failed",passed:false},x])',
  ),
  against(
    'failed-says-passed',
    'says that it passed although a test failed',
    'r.results[0].outcome="failed"',
  ),
  against('result-dropped', 'counts a test whose result is gone', 'r.results.pop()'),
  against(
    'summary-failed',
    'counts a failure that no result has',
    'r.summary.passed-=1;r.summary.failed+=1;r.passed=false',
  ),
  {
    ...against(
      'many-failures',
      'has twenty thousand failures',
      'r.results=Array.from({length:20000},(_,i)=>({...r.results[0],context:null,assertions:[],scenario_id:"t"+i,outcome:"failed",passed:false}));r.causes=[{hypothesis:"h",blames:"target",rule:"unexplained",areas:[],promises:[],contrast:[],tests:r.results.map((x)=>x.scenario_id+" [claude]")}]',
    ),
    prints: /20000 results .*20000 failed[\s\S]*no verdict: no test has a result in both runs/,
  },
  against('no-results-field', 'has no field for results', 'delete r.results'),
  against('results-object', 'has an object instead of results', 'r.results={}'),
  against('newer', 'has a format that is too new', 'r.format=99'),
  file('truncated', 'is cut in half', 'head -c 2000 out/report.json > b.json'),
  file('zero', 'has no bytes', ': > b.json'),
  file('not-json', 'is no JSON', 'echo hello > b.json'),
  file('null', 'is null', 'echo null > b.json'),
  file('list', 'is a list', 'echo "[]" > b.json'),
  file('folder', 'is a folder', 'mkdir b.json'),
  file('missing', 'does not exist', 'true'),
  file('fifo', 'is a pipe', 'mkfifo b.json'),
  file('same-file', 'is the same file', 'ln out/report.json b.json'),
  file('dev-zero', 'is endless', 'ln -s /dev/zero b.json'),
  {
    id: 'baseline-empty',
    way: 'compares with a baseline that has no results',
    controls: 'the files that are compared',
    files,
    steps: [MINE, `${change(emptied)}; $E2E compare --baseline b.json --output out`],
  },
  {
    id: 'baseline-skipped',
    way: 'compares with a baseline that skipped everything',
    controls: 'the files that are compared',
    files,
    steps: [
      MINE,
      `${change('for(const x of r.results){x.outcome="skipped";x.passed=false;x.skip_reason="x"}')}; $E2E compare --baseline b.json --output out`,
    ],
  },
  {
    id: 'run-damaged',
    way: 'compares with a run whose journal was changed',
    controls: 'whoever can write to the folder after the run',
    files: {
      ...files,
      'red.mjs': module(
        'export const all = [green, make("other", { expect: () => [fileContains("absent.txt", "x")] })];',
      ),
    },
    steps: [
      MINE,
      `cp out/report.json b.json; ${MINE.replace('mine.mjs', 'red.mjs')}; sed -i 's/"outcome":"failed"/"outcome":"passed"/' out/runs/*/journal.jsonl; $E2E compare --baseline b.json --output out`,
    ],
  },
  {
    ...file('control', 'is a copy from a second run', `cp out/report.json b.json; ${MINE}`),
    control: true,
  },
];
