export * from './context.js';
export * from './files-and-commits.js';
export * from './hooks.js';
export * from './plugins.js';
export * from './stages.js';
export * from './turns.js';
