import type { ProjectName } from './template.js';

/** Returns the package.json of a project that is never published. */
export function packageJson({ slug }: ProjectName, more: Readonly<Record<string, unknown>>): string {
  const content = { name: slug, version: '1.0.0', private: true, type: 'module', ...more };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Returns the go.mod of a project that nobody imports. */
export function goMod({ slug }: ProjectName): string {
  return `module example.invalid/${slug}\n\ngo 1.20\n`;
}
