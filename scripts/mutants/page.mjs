// What docs/mutants.md and docs/diagnosis.md say about the results. `npm run docs` writes it.
import { survives } from './results.mjs';

/** @typedef {import('./results.mjs').Result} Result */

/**
 * The page, as a function of the results alone.
 * @param {import('./results.mjs').Results} results
 */
export function renderPage({ ralph, seed, total, mutants }) {
  const own = mutants.filter(({ set }) => set === 'own');
  const drawn = mutants.filter(({ set }) => set === 'mechanical');
  return [
    '# Mutants',
    '',
    `For whoever asks which regressions the catalog notices. A mutant is the real Ralph with one regression in it. \`npm run mutants\` builds Ralph ${ralph} once with all of them, switches on one at a time, and runs the catalog in the sim lane. A mutant is noticed if a test fails twice, apart from known issues. An equivalent mutant changes nothing that a user could notice.`,
    '',
    `This page is generated from \`tests/mutants/results.json\`.${mutants.length < total ? ` It is not complete: ${mutants.length} of ${total} mutants have run.` : ''}`,
    '',
    '```sh',
    'npm run mutants                             # all mutants; goes on where the last call stopped',
    'npm run docs                                # then writes this page',
    'npm run mutants -- --only "completion-*"    # some, by id',
    'npm run mutants -- --survivors              # those that survived, once more',
    'npm run mutants -- --seed 7 --mechanical    # another draw; needs another build',
    'npm run mutants -- --list                   # lists them and runs nothing',
    'npm run mutants -- --sample 12              # 12 own ones by the seed; fails if one survives that is not listed',
    '```',
    '',
    '## Add a mutant',
    '',
    'Add it to `tests/mutants/own/<area>.yaml`. `find` is a text that occurs exactly once in the source file. In `replace`, `mutant!()` stands for an expression that is true while the mutant is on. A mutant with several changes has `edits`, a list of `find`, `replace` and optionally `file`. If no user could notice it, say why in `equivalent`. Notes on mechanical mutants are in `tests/mutants/mechanical.yaml`: the id, and either `equivalent` or `breaks`.',
    '',
    '```yaml',
    '- id: completion-any-line',
    '  area: completion',
    '  file: ralph-core/src/event_parser.rs',
    '  breaks: The completion promise counts only on the last non-empty line.',
    '  find: return trimmed == promise;',
    '  replace: if mutant!() && trimmed != promise { continue; } return trimmed == promise;',
    '```',
    '',
    '## By area',
    '',
    `Own mutants are written by hand from reading Ralph's sources, one for each promise (\`tests/mutants/own/\`): ${describe(own)}. Mechanical mutants are drawn by a seed (${seed}) from the kinds of change that cargo-mutants makes: ${describe(drawn)}.`,
    '',
    ...renderAreas(own, drawn),
    '',
    '## Diagnosis',
    '',
    ...renderDiagnosis(mutants),
    '',
    ...renderSurvivors('Own mutants that survived', own),
    ...renderSurvivors('Mechanical mutants that survived', drawn),
    ...renderEquivalent(mutants),
    '## Noticed by',
    '',
    '| Mutant | Area | Test | Check |',
    '| --- | --- | --- | --- |',
    ...mutants
      .filter(({ status }) => status === 'noticed')
      .map(({ id, area, test, check }) => row([`\`${id}\``, area, test ?? '', check ?? ''])),
    '',
  ].join('\n');
}

/** @param {readonly Result[]} results */
export function count(results) {
  const noticed = results.filter(({ status }) => status === 'noticed').length;
  const survived = results.filter(survives).length;
  const equivalent = results.filter(({ status }) => status === 'equivalent').length;
  return { noticed, survived, equivalent, of: noticed + survived };
}

/**
 * @param {number} part
 * @param {number} whole
 */
function percent(part, whole) {
  return `${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %`;
}

/** @param {readonly Result[]} results */
export function describe(results) {
  const { noticed, of, equivalent } = count(results);
  const share = of === 0 ? '' : ` (${percent(noticed, of)})`;
  return `${noticed} of ${of} noticed${share}${equivalent === 0 ? '' : `, ${equivalent} equivalent`}`;
}

/**
 * @param {readonly Result[]} own
 * @param {readonly Result[]} drawn
 */
function renderAreas(own, drawn) {
  const areas = [...new Set([...own, ...drawn].map(({ area }) => area))].sort();
  /** @param {readonly Result[]} results */
  const cells = (results) => {
    const { noticed, survived, equivalent } = count(results);
    return results.length === 0 ? ['', '', ''] : [noticed, survived, equivalent].map(String);
  };
  return [
    '| Area | Own: noticed | survived | equivalent | Mechanical: noticed | survived | equivalent |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...areas.map((area) => {
      const inArea = (/** @type {Result} */ result) => result.area === area;
      return row([area, ...cells(own.filter(inArea)), ...cells(drawn.filter(inArea))]);
    }),
    row(['**all**', ...cells(own), ...cells(drawn)]),
  ];
}

/**
 * Says how often the diagnosis of the first failed test leads to the mutant.
 * @param {readonly Result[]} mutants
 */
export function summarizeDiagnoses(mutants) {
  const judged = mutants.filter(({ status, diagnosis }) => status === 'noticed' && diagnosis !== null);
  if (judged.length === 0) return 'No mutant was noticed.';
  /** @param {string} judgment */
  const count = (judgment) => judged.filter(({ diagnosis }) => diagnosis?.judgment === judgment).length;
  const blamed = judged.filter(({ diagnosis }) => diagnosis?.blames === 'target').length;
  return `Of ${judged.length} mutants that were noticed, the diagnosis of the first failed test names the area or the file of the mutant (right) in ${count('right')} cases (${percent(count('right'), judged.length)}), no area (vague) in ${count('vague')}, and another area (misleading) in ${count('misleading')}. It blames Ralph in ${blamed}.`;
}

/** @param {readonly Result[]} mutants */
function renderDiagnosis(mutants) {
  const misleading = mutants.filter(({ diagnosis }) => diagnosis?.judgment === 'misleading');
  const names = misleading.map(
    ({ id, diagnosis }) => `\`${id}\` (${diagnosis?.areas.join(', ') || diagnosis?.rule})`,
  );
  return [
    summarizeDiagnoses(mutants),
    ...(names.length === 0 ? [] : ['', `Another area, with what the diagnosis names: ${names.join(', ')}.`]),
  ];
}

/**
 * @param {string} title
 * @param {readonly Result[]} results
 */
function renderSurvivors(title, results) {
  const survivors = results.filter(survives);
  if (survivors.length === 0) return [];
  return [
    `## ${title}`,
    '',
    '| Mutant | Area | What it breaks | Tests that ran the code |',
    '| --- | --- | --- | ---: |',
    ...survivors.map(({ id, area, breaks, note, tried }) =>
      row([`\`${id}\``, area, note === null ? breaks : `${breaks} ${note}`, String(tried)]),
    ),
    '',
  ];
}

/** @param {readonly Result[]} mutants */
function renderEquivalent(mutants) {
  const equivalent = mutants.filter(({ status }) => status === 'equivalent');
  if (equivalent.length === 0) return [];
  return [
    '## Equivalent',
    '',
    '| Mutant | Area | Why no user could notice |',
    '| --- | --- | --- |',
    ...equivalent.map(({ id, area, note }) => row([`\`${id}\``, area, note ?? ''])),
    '',
  ];
}

/** @param {readonly string[]} cells */
function row(cells) {
  const safe = cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' '));
  return `| ${safe.join(' | ')} |`;
}
