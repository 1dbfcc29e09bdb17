import { runAsProgram } from '../../agent/face/run-face.js';
import { opencode } from './stand-in/face.js';

void runAsProgram(opencode);
