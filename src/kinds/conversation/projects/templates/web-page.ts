import type { ProjectFiles, ProjectName } from './template.js';

/** Returns the page of every web app: one card with a heading, and the design that it should follow. */
export function webPage({ title }: ProjectName): ProjectFiles {
  return {
    'public/index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${escapeHtml(title)}</title>
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    <main class="card">
      <h1>${escapeHtml(title)}</h1>
      <p>Tasks are listed at <a href="/api/tasks">/api/tasks</a>.</p>
      <button>Add task</button>
    </main>
  </body>
</html>
`,
    'public/style.css': `body {
  background: #f4f4f8;
  font-family: sans-serif;
}

.card {
  width: 320px;
  padding: 24px;
  border-radius: 12px;
  background: #ffffff;
}

.card h1 {
  font-size: 28px;
  color: #222244;
}

.card button {
  padding: 8px 16px;
  background: #3355cc;
  color: #ffffff;
}
`,
    'design.md': `# Design

The card as it should look. Lengths are exact to the pixel, colours to the digit.

| what | value |
|---|---|
| card width | 320px |
| card padding | 24px |
| card corners | 12px |
| card background | #ffffff |
| heading size | 28px |
| heading colour | #222244 |
| button background | #3355cc |
`,
  };
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
  };
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
