import { runAsProgram } from '../../agent/face/run-face.js';
import { codexFace } from './stand-in/face.js';

void runAsProgram(codexFace);
