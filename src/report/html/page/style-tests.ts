/** Styles of the tests: filter, rows, details and timeline. */
export const STYLE_OF_TESTS = `
.filter { display: flex; flex-wrap: wrap; align-items: end; gap: .9rem 1.5rem; padding: 1rem 1.2rem; margin-bottom: 1rem; background: var(--shade); border-radius: 10px; }
.filter label, legend { font-size: .82rem; color: var(--quiet); }
.search { flex: 1 1 16rem; position: relative; }
.search label { display: block; }
.search input { width: 100%; padding: .45rem .7rem; }
.search kbd { position: absolute; right: .6rem; bottom: .42rem; padding: 0 .4rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 4px; pointer-events: none; }
.search input:focus + kbd, .search input:not(:placeholder-shown) + kbd { display: none; }
::placeholder { color: var(--quiet); opacity: 1; }
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
.body .description { font-size: 1.05rem; margin: .9rem 0; }
.body > .facts { font-size: .93rem; }
.folds + .facts { margin-top: 1rem; }

.assertions > li { padding: .3rem 0; }
.mark { display: inline-block; min-width: 3.6rem; font-size: .8rem; font-weight: 600; }
.held .mark { color: var(--passed); }
.broken .mark { color: var(--failed); }
.assertions > .broken { margin: .4rem 0; padding: .7rem .9rem; background: var(--failed-tint); border-radius: 8px; }
.broken .quiet { color: var(--ink); }
.broken .hint { border-color: var(--failed); }
.diagnosis { margin-top: 1.2rem; padding: 1rem 1.2rem; background: var(--shade); border-radius: 8px; }
.diagnosis h4 { margin-top: 0; }
.score, .grade, .severity, .change { display: inline-block; padding: 0 .5rem; border-radius: 4px; font-size: .8rem; font-weight: 600; background: var(--skipped-tint); color: var(--skipped); }
.score { text-transform: capitalize; }
.optimal, .added { background: var(--passed-tint); color: var(--passed); }
.good, .info, .modified { background: var(--known-tint); color: var(--known); }
.acceptable, .warning { background: var(--flaky-tint); color: var(--flaky); }
.suboptimal, .concerning, .critical, .deleted { background: var(--failed-tint); color: var(--failed); }
.bad { color: var(--failed); }

.lanes { margin: .5rem 0 1rem; padding: .7rem .9rem; background: var(--shade); border-radius: 8px; }
.lane { display: grid; grid-template-columns: 6rem minmax(0, 1fr); align-items: center; gap: .75rem; font-size: .82rem; color: var(--ink); }
.lane.axis { color: var(--quiet); }
.lane > svg { display: block; width: 100%; height: 1.5rem; overflow: visible; }
.lane.axis > svg { height: 1.2rem; }
.lane text { fill: currentColor; font-size: .75rem; font-variant-numeric: tabular-nums; }
.lane text.wrong { fill: var(--failed); }
.lane .off { fill: var(--failed-tint); }
.lane rect.wrong { stroke: var(--failed); stroke-width: 2; }
.lane a:hover rect { opacity: .8; }
.hue0 { fill: var(--hue0); } .hue1 { fill: var(--hue1); } .hue2 { fill: var(--hue2); }
.hue3 { fill: var(--hue3); } .hue4 { fill: var(--hue4); } .hue5 { fill: var(--hue5); }
.call { fill: var(--quiet); } .sign { fill: var(--accent); }
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
.files > li { margin: .5rem 0; }
`;
