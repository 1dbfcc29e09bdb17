import { involvesRalph } from '../../domain/attempt.js';
import { listedName } from '../../domain/backends.js';
import { describeContainment } from '../../domain/evidence/containment.js';
import type { Report } from '../../domain/report/report.js';
import { groupSkips } from '../model/skips.js';
import { backendName, countOf } from '../words/words.js';
import { type Content, html, type Markup, NOTHING } from './page/markup.js';
import { type LinkBase, pathLink } from './page/paths.js';
import { bulletList, code, factList, fitList, folded, line } from './parts.js';

/** Renders what did not run, and why; each reason once per backend. */
export function renderSkippedSection({ results }: Report): Markup {
  const items = groupSkips(results).map(
    ({ backend, reason, ids }) =>
      html`<strong>${backendName(backend)}</strong> ${line(reason, 400)} <span class="quiet">${countOf(ids.length, 'test')}: ${line(ids.join(', '), 600)}</span>`,
  );
  return bulletList(fitList(items, { limit: 50_000, more }), 'spaced');
}

/** Renders the machine, the agent CLIs, and the names (never values) of visible credentials. */
export function renderEnvironmentSection({ environment, backends_tested, target }: Report): Markup {
  const { os, node, ralph_binary, workspace, env_vars, inherited } = environment;
  const names = (wanted: boolean) =>
    Object.entries(env_vars)
      .filter(([, isSet]) => isSet === wanted)
      .slice(0, 40)
      .map(([name], index) => [index > 0 && ', ', code(name, 80)]);
  return html`${factList([
    ['System', line(os, 120)],
    ['Node', line(node, 60)],
    ['Ralph', involvesRalph(target) ? code(ralph_binary, 400) : null],
    ['Workspace', code(workspace, 400)],
    ['Isolation', environment.isolation],
    [
      'Processes',
      environment.containment === null
        ? null
        : `${environment.containment}: ${describeContainment(environment.containment)}`,
    ],
    ['Credentials set', names(true).length === 0 ? 'none' : names(true)],
    ['Not set', names(false).length === 0 ? null : names(false)],
    ...inherited.slice(0, 20).map((what) => ['Inherited', line(what, 300)] as const),
  ])}
<h3>Agent CLIs</h3>
${bulletList(backends_tested.slice(0, 20).map(renderBackend), 'spaced')}`;
}

function renderBackend(tested: Report['backends_tested'][number]): Markup {
  const { backend, version, available, authenticated, authentication_source, reason } = tested;
  const login =
    authenticated === null
      ? 'login not asked'
      : html`${authenticated ? 'logged in' : 'not logged in'} ${authentication_source !== null && html`(${line(authentication_source, 80)})`}`;
  return html`<strong>${listedName(backend)}</strong> ${version === null ? 'version unknown' : line(version, 80)} <span class="quiet">${available ? 'available' : 'not available'}, ${login}${reason !== null && html`: ${line(reason, 200)}`}</span>`;
}

/** Renders the files that the run left on disk. */
export function renderFilesSection({ artifacts }: Report, root: LinkBase): Markup {
  if (artifacts.length === 0) return NOTHING;
  const items = artifacts.map(
    ({ path, description }) =>
      html`${pathLink(path, root)} <span class="quiet">${line(description, 200)}</span>`,
  );
  return folded(
    'Files of this run',
    bulletList(fitList(items, { limit: 50_000, more })),
    countOf(artifacts.length, 'folder'),
  );
}

function more(left: number): Content {
  return html`<span class="quiet">${left} more in report.json</span>`;
}
