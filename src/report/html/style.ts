/** Colors, fonts, layout; dark if the reader's system is. No rule may need a style attribute: the policy forbids it. */
const BASE = `
:root {
  --paper: #faf9f6; --sheet: #ffffff; --ink: #23262c; --quiet: #5c626d; --line: #e3e0d9; --shade: #f2f0ea;
  --accent: #1f5c94; --focus: #1f5c94;
  --passed: #1b6e45; --passed-tint: #e4f2ea; --failed: #a9271c; --failed-tint: #fbe9e6;
  --error: #7a3a9c; --error-tint: #f4eaf9; --flaky: #835300; --flaky-tint: #fbf0d9;
  --known: #2a5a8c; --known-tint: #e5eef8; --skipped: #5c626d; --skipped-tint: #edebe6;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15171b; --sheet: #1c1f24; --ink: #e4e2dc; --quiet: #a2a8b3; --line: #30343b; --shade: #23272d;
    --accent: #8fc0ee; --focus: #8fc0ee;
    --passed: #7fd3a5; --passed-tint: #17301f; --failed: #ff9d92; --failed-tint: #331d1b;
    --error: #d7a8ef; --error-tint: #311f3b; --flaky: #e8bd6a; --flaky-tint: #352913;
    --known: #93c1ee; --known-tint: #182a3d; --skipped: #a2a8b3; --skipped-tint: #272b31;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
.page { max-width: 68rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1, h2, h3, h4, h5, p, ul, ol, dl, pre { margin: 0; }
h2 { font-size: 1.3rem; font-weight: 650; margin: 0 0 1rem; }
h3 { font-size: 1rem; font-weight: 650; margin: 1.25rem 0 .5rem; }
h4 { font-size: .95rem; font-weight: 650; margin: 1.5rem 0 .5rem; }
h5 { font-size: .82rem; font-weight: 650; color: var(--quiet); margin: .9rem 0 .25rem; }
code, pre, kbd { font: .86em/1.5 ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code, pre, bdi, td, dd { unicode-bidi: isolate; }
a { color: var(--accent); text-underline-offset: .15em; text-decoration-thickness: .06em; }
ul, ol { padding: 0; list-style: none; }
.quiet, small { color: var(--quiet); font-size: .87em; font-weight: 400; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
main:focus-visible, section:focus-visible { outline-offset: .5rem; }
.skip { position: absolute; left: 1rem; top: -4rem; padding: .5rem 1rem; background: var(--sheet); z-index: 1; }
.skip:focus { top: 1rem; }
.said-aloud { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
section { margin-top: 3rem; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 1.5rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
nav a { text-decoration: none; padding: .25rem 0; }
nav a:hover { text-decoration: underline; }
footer { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .87rem; }

.verdict { background: var(--sheet); border: 1px solid var(--line); border-left: .4rem solid var(--tone); border-radius: 10px; padding: 1.75rem 2rem; }
.verdict h1 { font-size: 2.4rem; line-height: 1.1; font-weight: 700; color: var(--tone); letter-spacing: -.01em; }
.kicker { color: var(--quiet); font-size: .87rem; margin-bottom: .4rem; }
.sentence { font-size: 1.15rem; margin-top: .5rem; }
.verdict .facts { margin-top: 1.25rem; }
.facts { display: flex; flex-wrap: wrap; gap: .75rem 2rem; }
.facts div { min-width: 0; max-width: 100%; }
dt { color: var(--quiet); font-size: .8rem; }
dd { margin: 0; }

.passed { --tone: var(--passed); --tint: var(--passed-tint); }
.failed { --tone: var(--failed); --tint: var(--failed-tint); }
.error { --tone: var(--error); --tint: var(--error-tint); }
.flaky { --tone: var(--flaky); --tint: var(--flaky-tint); }
.known-issue { --tone: var(--known); --tint: var(--known-tint); }
.skipped { --tone: var(--skipped); --tint: var(--skipped-tint); }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; }
.tile { display: block; height: 100%; padding: .9rem 1.1rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; text-decoration: none; color: var(--ink); }
.tile:hover { border-color: var(--tone); }
.tile b { display: block; font-size: 1.9rem; line-height: 1.15; font-weight: 650; color: var(--tone); font-variant-numeric: tabular-nums; }
.tile small { display: block; line-height: 1.35; margin-top: .15rem; }
.tile.none b { color: var(--quiet); font-weight: 400; }
table { border-collapse: collapse; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1.25rem .35rem 0; border-bottom: 1px solid var(--line); font-weight: 400; font-variant-numeric: tabular-nums; }
thead th { color: var(--quiet); font-size: .82rem; overflow-wrap: normal; }
.attention { margin-top: 1.25rem; }
.attention a { margin: 0 .3rem; font-weight: 600; }
.plain li, .spaced li { margin: .3rem 0; }
.spaced li { margin: .7rem 0; }
.spaced .plain { margin-left: 1.2rem; }
.spaced .plain li { margin: .2rem 0; }
.hint { border-left: 3px solid var(--line); padding-left: .8rem; margin: .5rem 0; }
.command { display: flex; align-items: center; gap: .75rem; margin-top: .3rem; padding: .6rem .8rem; background: var(--shade); border-radius: 6px; }
.command code { flex: 1; min-width: 0; }
button, select, input[type=search] { font: inherit; font-size: .9rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--quiet); border-radius: 6px; padding: .25rem .7rem; }
button { cursor: pointer; }
button:hover { border-color: var(--accent); color: var(--accent); }
`;

/** The tests: filter, rows, details and timeline. */
const TESTS = `
.filter { display: flex; flex-wrap: wrap; align-items: end; gap: .9rem 1.5rem; padding: 1rem 1.2rem; margin-bottom: 1rem; background: var(--shade); border-radius: 10px; }
.filter label, legend { font-size: .82rem; color: var(--quiet); }
.search { flex: 1 1 16rem; position: relative; }
.search label { display: block; }
.search input { width: 100%; padding: .45rem .7rem; }
.search kbd { position: absolute; right: .6rem; bottom: .42rem; padding: 0 .4rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 4px; pointer-events: none; }
.search input:focus + kbd, .search input:not(:placeholder-shown) + kbd { display: none; }
input::placeholder { color: var(--quiet); opacity: 1; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: .35rem; }
legend { padding: 0; }
.choice span { display: block; padding: .22rem .7rem; border: 1px solid var(--quiet); border-radius: 99px; color: var(--ink); background: var(--sheet); font-size: .9rem; cursor: pointer; }
.choice input { position: absolute; opacity: 0; }
.choice input:checked + span { background: var(--tint); color: var(--tone); border-color: var(--tone); box-shadow: inset 0 0 0 1px var(--tone); }
.choice input:focus-visible + span { outline: 3px solid var(--focus); outline-offset: 2px; }
.keys kbd { padding: 0 .35rem; border: 1px solid var(--line); border-radius: 4px; background: var(--sheet); }
.keys { flex: 1 1 100%; color: var(--quiet); font-size: .82rem; }
.selects { display: flex; flex-wrap: wrap; gap: .9rem; min-width: 0; }
.selects label { min-width: 0; }
.selects select { display: block; max-width: 100%; }
.found { flex: 1 1 100%; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; }
.found output { margin-right: auto; }

.tests { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; }
.tests > li + li { border-top: 1px solid var(--line); }
.test > summary { display: grid; grid-template-columns: .6rem 7rem minmax(0, 1fr) auto 4.5rem; align-items: baseline; gap: .1rem .9rem; padding: .6rem 1.1rem; cursor: pointer; list-style: none; border-radius: 10px; }
.test > summary::-webkit-details-marker { display: none; }
.test > summary::before { content: ""; width: .45rem; height: .45rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(-45deg); align-self: center; grid-row: 1; }
.test[open] > summary::before { transform: rotate(45deg); }
.test > summary:hover { background: var(--shade); }
.test > summary:focus-visible { outline-offset: -3px; }
.test h3 { margin: 0; font-size: 1rem; font-weight: 600; min-width: 0; }
.test[open] h3 { font-weight: 700; }
.where { font-size: .9rem; min-width: 0; }
.time { text-align: right; color: var(--quiet); font-size: .87rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.reason { grid-column: 3 / -1; color: var(--quiet); font-size: .9rem; }
.failed .reason, .error .reason { color: var(--tone); }
.badge { display: inline-block; padding: 0 .6rem; border-radius: 99px; font-size: .8rem; line-height: 1.6; font-weight: 600; color: var(--tone); background: var(--tint); justify-self: start; white-space: nowrap; }
.test .body { padding: .25rem 1.5rem 1.75rem; border-top: 1px solid var(--line); }
.body > .facts { font-size: .93rem; }
.folds + .facts, table + .facts { margin-top: 1rem; }

.assertions > li { padding: .3rem 0; }
.mark { display: inline-block; min-width: 3.6rem; font-size: .8rem; font-weight: 600; }
.held .mark { color: var(--passed); }
.broken .mark { color: var(--failed); }
.assertions > .broken { margin: .4rem 0; padding: .7rem .9rem; background: var(--failed-tint); border-radius: 8px; }
.broken .quiet { color: var(--ink); }
.broken .hint { border-color: var(--failed); }
.bad { color: var(--failed); }

.timeline { border-left: 2px solid var(--line); margin-left: .4rem; padding-left: 1.3rem; }
.timeline > li { position: relative; padding-bottom: 1.1rem; }
.timeline > li::before { content: ""; position: absolute; left: -1.72rem; top: .45rem; width: .7rem; height: .7rem; border-radius: 50%; background: var(--accent); border: 2px solid var(--sheet); }
.timeline > li:focus-visible { outline-offset: .35rem; }
.timeline > .aside::before, .timeline > .gap::before { background: var(--line); }
.timeline > .end { padding-bottom: 0; }
.timeline > .end::before { background: var(--ink); border-radius: 2px; }
.timeline > .gap { color: var(--quiet); font-size: .87rem; }
.hat { padding: 0 .5rem; border-radius: 4px; background: var(--known-tint); color: var(--known); font-size: .85rem; }
.happenings > li { margin: .15rem 0; font-size: .9rem; }
.kind { display: inline-block; min-width: 2.9rem; color: var(--quiet); font-size: .8rem; }
.event.by-agent code { color: var(--accent); font-weight: 600; }
.event.by-ralph { color: var(--quiet); }
.said { margin-top: .4rem; display: grid; grid-template-columns: 2.9rem minmax(0, 1fr); align-items: baseline; gap: 0 .25rem; }
.said .quiet { font-size: .8rem; }
.quote { margin: .35rem 0; padding: .6rem .8rem; background: var(--shade); border-radius: 6px; white-space: pre-wrap; overflow: auto; tab-size: 4; }
.quote.scrolls { max-height: 26rem; }
.broken .quote { background: var(--sheet); }
.quote ins, .quote del { text-decoration: none; }
.quote ins { background: var(--passed-tint); color: var(--passed); }
.quote del { background: var(--failed-tint); color: var(--failed); }
.fold { margin: .3rem 0; }
.fold > summary { cursor: pointer; padding: .2rem 0; color: var(--accent); width: fit-content; max-width: 100%; }
.fold > summary:hover { text-decoration: underline; }
.folds > .fold { border-top: 1px solid var(--line); margin: 0; padding: .25rem 0; }
`;

/** The causes, and the place where a run went wrong. */
const CAUSES = `
.causes > li + li { margin-top: .75rem; }
.cause { background: var(--sheet); border: 1px solid var(--line); border-left: .4rem solid var(--tone); border-radius: 10px; }
.cause > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .8rem; padding: .8rem 1.1rem; cursor: pointer; list-style: none; border-radius: 10px; }
.cause > summary::-webkit-details-marker { display: none; }
.cause > summary::before { content: ""; flex: none; width: .45rem; height: .45rem; border: solid var(--quiet); border-width: 0 2px 2px 0; transform: rotate(-45deg); align-self: center; }
.cause[open] > summary::before { transform: rotate(45deg); }
.cause > summary:hover { background: var(--shade); }
.cause h3 { flex: 1 1 20rem; min-width: 0; margin: 0; font-size: 1.05rem; }
.cause > .body { padding: 0 1.5rem 1.4rem; }
.cause h4 { margin-top: 1.1rem; }
.links { line-height: 1.8; font-size: .93rem; }
.links a { white-space: nowrap; }
.handover { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1rem; margin-top: 1.1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.handover button { font-weight: 600; border-color: var(--accent); color: var(--accent); }
.handover .fold { flex: 1 1 16rem; min-width: 0; margin: 0; }
.handover .fold[open] { flex-basis: 100%; }
.divergence { padding: .7rem .9rem; background: var(--failed-tint); border-radius: 8px; }
.divergence dt, .broken dt { color: var(--ink); }
.sides { margin-top: .3rem; }
.sides div { display: grid; grid-template-columns: 5rem minmax(0, 1fr); align-items: baseline; margin-top: .15rem; }
.wrong { color: var(--failed); font-weight: 600; }
.moment .wrong { display: inline-block; margin-left: .4rem; padding: 0 .5rem; border-radius: 4px; background: var(--failed-tint); font-size: .85rem; }
.timeline > .off::before { background: var(--failed); }
.timeline .divergence { margin: .3rem 0 .6rem; font-size: .93rem; }
.traced { margin: .3rem 0 .6rem; font-size: .93rem; }
`;

const NARROW_AND_PRINT = `
@media (max-width: 40rem) {
  .page { padding: 1rem .9rem 3rem; }
  .verdict { padding: 1.25rem 1.1rem; }
  .verdict h1 { font-size: 2rem; }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); }
  th, td { padding-right: .7rem; }
  .found output { flex: 1 1 100%; }
  .test > summary { grid-template-columns: .6rem auto minmax(0, 1fr) auto; gap: .1rem .6rem; padding: .6rem .9rem; }
  .test > summary .time { grid-row: 1; grid-column: 4; }
  .test > summary .where { grid-row: 2; grid-column: 2 / -1; }
  .test > summary .reason { grid-row: 3; grid-column: 2 / -1; }
  .test .body { padding: 0 .9rem 1rem; }
  .cause > summary { padding: .7rem .8rem; }
  .cause > .body { padding: 0 .9rem 1rem; }
  .links a { white-space: normal; }
  .command { flex-wrap: wrap; }
  .command code { flex-basis: 100%; }
  .sides div { grid-template-columns: minmax(0, 1fr); }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print {
  :root { --paper: #ffffff; --shade: #f4f4f2; }
  body { font-size: 10pt; }
  .page { max-width: none; padding: 0; }
  nav, .skip, .filter, .copy, .handover, footer { display: none; }
  section { margin-top: 1.5rem; }
  .quote.scrolls { max-height: none; }
  .test, .cause, .verdict, .timeline > li, tr { break-inside: avoid; }
  .test[open] { break-inside: auto; }
  .badge, .tile b { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details.failed::details-content, details.error::details-content { content-visibility: visible; block-size: auto; }
}
`;

export const PAGE_STYLE = `${BASE}${TESTS}${CAUSES}${NARROW_AND_PRINT}`;
