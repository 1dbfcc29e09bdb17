import {
  type ConversationArrangement,
  fixturePluginFolder,
  renderProject,
  visualIteration,
} from '../../../src/authoring.js';
import { ALLOWED } from '../parts.js';

/** The one tool of the browser that visual-iteration brings, as Claude Code names it. */
export const SCREENSHOT = 'mcp__plugin_visual-iteration_browser-tools__screenshot';

/** The browser is a server: such scenarios want the real Claude Code. */
export const HAS_SERVER = {
  sim: 'needs an MCP server, which the stand-in for claude does not play',
} as const;

export const STYLE = 'public/style.css';

type Defect = Parameters<typeof renderProject>[0]['defect'];

/** A page that differs from its design, and the plugin that finds out. */
export function pageWith(defect: Exclude<Defect, undefined>): Pick<
  ConversationArrangement,
  'plugins' | 'workflow' | 'allowedTools'
> & {
  readonly files: Readonly<Record<string, string>>;
} {
  return {
    files: renderProject({ type: 'web-app', language: 'javascript', name: 'Task Board', defect }),
    plugins: [fixturePluginFolder('visual-iteration')],
    workflow: visualIteration,
    allowedTools: [...ALLOWED, SCREENSHOT],
  };
}

/** What a refinement replaces in the style sheet, by the part of the card. */
export const MENDED = {
  padding: ['padding: 32px', 'padding: 24px'],
  corners: ['border-radius: 4px', 'border-radius: 12px'],
  heading: ['font-size: 20px', 'font-size: 28px'],
} as const;

/** What the browser tells of a picture: where it is, and what it shows. */
export function pictureOf(
  path: string,
  values: { readonly cardPadding?: number; readonly cardRadius?: number; readonly headingSize?: number },
): RegExp {
  const { cardPadding, cardRadius, headingSize } = values;
  const measured = [
    ...(cardPadding === undefined ? [] : [`.card padding ${cardPadding}px`]),
    ...(cardRadius === undefined ? [] : [`.card border-radius ${cardRadius}px`]),
    ...(headingSize === undefined ? [] : [`.card h1 font-size ${headingSize}px`]),
  ];
  return new RegExp([path, ...measured].map((text) => text.replaceAll('.', '\\.')).join('.*'));
}
