/** Styles of the causes, and of the place where a run went wrong. */
export const STYLE_OF_CAUSES = `
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
.cause .hint { margin-top: .7rem; }
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
.traced .facts { gap: .5rem 1.5rem; }
.traced .plain li { margin: 0; }
.outputs { margin-top: .5rem; font-size: .93rem; }
`;
