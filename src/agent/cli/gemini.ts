import { gemini } from './gemini/face.js';
import { runAsProgram } from './run-face.js';

void runAsProgram(gemini);
