import { kiro } from './kiro/face.js';
import { runAsProgram } from './run-face.js';

void runAsProgram(kiro);
