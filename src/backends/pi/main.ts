import { runAsProgram } from '../../agent/face/run-face.js';
import { piFace } from './stand-in/face.js';

void runAsProgram(piFace);
