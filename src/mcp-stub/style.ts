import type { Colour } from './png.js';

/** The values that a page is drawn from: sizes in pixels, colors as `#rrggbb`. */
export interface PageStyle {
  readonly background: string;
  readonly cardWidth: number;
  readonly cardPadding: number;
  readonly cardRadius: number;
  readonly cardBackground: string;
  readonly headingSize: number;
  readonly headingColour: string;
  readonly buttonBackground: string;
}

/** Reads the values from a style sheet. Missing values get the default of a browser. */
export function readPageStyle(css: string): PageStyle {
  const rules = readRules(css);
  const pixels = (selector: string, property: string, otherwise: number) =>
    Number(/^(\d+(?:\.\d+)?)px\b/.exec(rules.get(selector)?.get(property) ?? '')?.[1] ?? otherwise);
  const colour = (selector: string, otherwise: string, property = 'background') =>
    /#[0-9a-f]{6}\b/i.exec(rules.get(selector)?.get(property) ?? '')?.[0].toLowerCase() ?? otherwise;
  return {
    background: colour('body', '#ffffff'),
    cardWidth: pixels('.card', 'width', 320),
    cardPadding: pixels('.card', 'padding', 0),
    cardRadius: pixels('.card', 'border-radius', 0),
    cardBackground: colour('.card', '#ffffff'),
    headingSize: pixels('.card h1', 'font-size', 32),
    headingColour: colour('.card h1', '#000000', 'color'),
    buttonBackground: colour('.card button', '#efefef'),
  };
}

/** Lists the values as they are in the style sheet. */
export function describeStyle(style: PageStyle): string {
  return [
    `body background ${style.background}`,
    `.card width ${style.cardWidth}px`,
    `.card padding ${style.cardPadding}px`,
    `.card border-radius ${style.cardRadius}px`,
    `.card background ${style.cardBackground}`,
    `.card h1 font-size ${style.headingSize}px`,
    `.card h1 color ${style.headingColour}`,
    `.card button background ${style.buttonBackground}`,
  ].join(', ');
}

/** Parses a color such as `#3355cc`. */
export function toColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

/** Reads properties by selector; a later rule wins, as in a browser. */
function readRules(css: string): Map<string, Map<string, string>> {
  const rules = new Map<string, Map<string, string>>();
  for (const [, selectors = '', body = ''] of css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    for (const selector of selectors.split(',').map((name) => name.trim().replace(/\s+/g, ' '))) {
      const properties = rules.get(selector) ?? new Map<string, string>();
      for (const [, property = '', value = ''] of body.matchAll(/([\w-]+)\s*:\s*([^;]+)/g)) {
        properties.set(property.replace(/^background-color$/, 'background'), value.trim());
      }
      rules.set(selector, properties);
    }
  }
  return rules;
}
