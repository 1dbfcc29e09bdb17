import { opencode } from './opencode/face.js';
import { runAsProgram } from './run-face.js';

void runAsProgram(opencode);
