// Which versions a matrix has, and how its table reads.

/** How many releases lie between the newest version and the older ones that are tried. */
const STEPS = [0, 10, 50];

/**
 * Chooses the newest release and two older ones. Versions with a suffix, such as betas, are left out.
 * @param {readonly string[]} versions as the registry lists them
 * @param {string} pinned the version that the other tests use
 */
export function chooseVersions(versions, pinned) {
  const releases = versions.filter((version) => /^\d+\.\d+\.\d+$/.test(version)).sort(compareVersions);
  return STEPS.flatMap((step) => {
    const version = releases.at(-1 - step);
    if (version === undefined) return [];
    const why = step === 0 ? 'newest' : `${step} releases earlier`;
    return [{ version, why: version === pinned ? `${why}, pinned` : why }];
  });
}

/**
 * @param {string} one
 * @param {string} other
 */
function compareVersions(one, other) {
  return one.localeCompare(other, 'en', { numeric: true });
}

/**
 * Describes the result of one version as a row of the table.
 * @param {{ name: string, version: string, why: string, passed?: number, total?: number, failed?: number, names?: string[], trouble?: string }} row
 */
export function describeRow({ name, version, why, passed, total, failed = 0, names = [], trouble }) {
  const result =
    trouble ?? `${passed} of ${total} passed${failed > 0 ? `; failed: ${names.join(', ')}` : ''}`;
  return `| ${name} | ${version} | ${why} | ${result.replaceAll('|', '/')} |`;
}

const TABLE =
  /(<!-- matrix: written by npm run real:matrix -- --write -->\n\n)[\s\S]*?(\n\n<!-- end of matrix -->)/;

/**
 * Puts a table into the page, between its two comments.
 * @param {string} page
 * @param {string} table
 */
export function replaceTable(page, table) {
  if (!TABLE.test(page)) throw new Error('docs/backends.md has no place for the matrix.');
  const [, before = '', after = ''] = TABLE.exec(page) ?? [];
  return page.replace(TABLE, () => `${before}${table}${after}`);
}
