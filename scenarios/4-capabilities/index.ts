/** What Claude Code can do beyond answering: tools, and output as a stream. */
export { capabilities } from './tools-and-stream.js';
