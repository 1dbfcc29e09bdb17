import { runAsProgram } from '../../agent/face/run-face.js';
import { kiro } from './stand-in/face.js';

void runAsProgram(kiro);
