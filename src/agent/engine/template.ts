import { mapTexts } from '../../domain/common/map-texts.js';
/** The values a template can refer to. */
export interface TemplateValues {
  readonly captures: readonly string[];
  readonly cwd: string;
  readonly session: string;
  /** The whole prompt. */
  readonly prompt?: string;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Fills `{{1}}`, `{{upper 1}}`, `{{reverse 1}}`, `{{add 1 2}}`, `{{grouped 1 2}}` (the sum as 1,201), `{{cwd}}`,
 * `{{session}}` and `{{prompt}}`. An equals sign keeps double braces: `{{=name}}` becomes `{{name}}`.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  return template.replace(PLACEHOLDER, (whole, expression: string) => {
    if (expression.startsWith('=')) return `{{${expression.slice(1)}}}`;
    const [first = '', ...rest] = expression.trim().split(/\s+/);
    if (/^\d+$/.test(first)) return captureAt(values.captures, first, whole);
    if (rest.length === 0 && (first === 'cwd' || first === 'session')) return values[first];
    if (rest.length === 0 && first === 'prompt') return values.prompt ?? '';
    const compute = FUNCTIONS[first];
    if (compute === undefined) {
      const known = ['cwd', 'session', 'prompt', ...Object.keys(FUNCTIONS)].join(', ');
      throw new Error(`${whole} in the agent script: expected a capture number or one of ${known}`);
    }
    return compute(rest.map((word) => captureAt(values.captures, word, whole)));
  });
}

/** Fills every string inside a value, such as the input of a tool. */
export function fillTemplates(value: unknown, values: TemplateValues): unknown {
  return mapTexts(value, (text) => fillTemplate(text, values));
}

/** Escapes text so that filling it as a template returns it unchanged. */
export function quoteTemplate(text: string): string {
  return text.replace(PLACEHOLDER, '{{=$1}}');
}

const FUNCTIONS: Readonly<Record<string, (values: readonly string[]) => string>> = {
  upper: ([text = '']) => text.toUpperCase(),
  reverse: ([text = '']) => [...text].reverse().join(''),
  add: (values) => String(sumOf(values)),
  grouped: (values) => sumOf(values).toLocaleString('en-US'),
};

function sumOf(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + Number(value), 0);
}

function captureAt(captures: readonly string[], word: string, whole: string): string {
  const value = captures[Number(word) - 1];
  if (value === undefined) {
    throw new Error(
      `${whole} in the agent script: there is no capture ${word}; number of captures in the rule: ${captures.length}`,
    );
  }
  return value;
}
