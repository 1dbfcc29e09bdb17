/** `{{1}}` is the first capture; `{{upper 1}}`, `{{reverse 1}}` and `{{add 1 2}}` compute with captures. */
export function fillTemplate(template: string, captures: readonly string[]): string {
  return template.replace(/\{\{([^{}]*)\}\}/g, (whole, expression: string) => {
    const [first = '', ...rest] = expression.trim().split(/\s+/);
    if (/^\d+$/.test(first)) return captureAt(captures, first, whole);
    const compute = FUNCTIONS[first];
    if (compute === undefined) {
      throw new Error(
        `${whole} in the agent script: expected a capture number or one of ${Object.keys(FUNCTIONS).join(', ')}`,
      );
    }
    return compute(rest.map((word) => captureAt(captures, word, whole)));
  });
}

const FUNCTIONS: Readonly<Record<string, (values: readonly string[]) => string>> = {
  upper: ([text = '']) => text.toUpperCase(),
  reverse: ([text = '']) => [...text].reverse().join(''),
  add: (values) => String(values.reduce((sum, value) => sum + Number(value), 0)),
};

function captureAt(captures: readonly string[], word: string, whole: string): string {
  const value = captures[Number(word) - 1];
  if (value === undefined) {
    throw new Error(
      `${whole} in the agent script: there is no capture ${word}, the rule captured ${captures.length}`,
    );
  }
  return value;
}
