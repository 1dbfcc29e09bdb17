import { runAsProgram } from '../../agent/face/run-face.js';
import { claudeFace } from './stand-in/face.js';

void runAsProgram(claudeFace);
