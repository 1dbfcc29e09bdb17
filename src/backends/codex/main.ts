import { runAsProgram } from '../../agent/face/run-face.js';
import { codex } from './stand-in/face.js';

void runAsProgram(codex);
