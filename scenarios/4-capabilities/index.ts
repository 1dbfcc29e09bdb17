import type { Scenario } from '../../src/authoring.js';
import { skills } from './skills.js';
import { toolsAndStream } from './tools-and-stream.js';

/** What agents can do beyond answering: tools and streams of Claude Code, and the skills that Ralph offers. */
export const capabilities: readonly Scenario[] = [...toolsAndStream, ...skills];
