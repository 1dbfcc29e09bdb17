import { codex } from './codex/face.js';
import { runAsProgram } from './run-face.js';

void runAsProgram(codex);
