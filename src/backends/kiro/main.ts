import { runAsProgram } from '../../agent/face/run-face.js';
import { kiroFace } from './stand-in/face.js';

void runAsProgram(kiroFace);
