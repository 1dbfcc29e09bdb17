import { claude } from './claude/face.js';
import { runAsProgram } from './run-face.js';

void runAsProgram(claude);
