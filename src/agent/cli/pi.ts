import { pi } from './pi/face.js';
import { runAsProgram } from './run-face.js';

void runAsProgram(pi);
