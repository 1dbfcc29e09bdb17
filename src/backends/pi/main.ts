import { runAsProgram } from '../../agent/face/run-face.js';
import { pi } from './stand-in/face.js';

void runAsProgram(pi);
