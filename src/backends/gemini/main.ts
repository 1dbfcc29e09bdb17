import { runAsProgram } from '../../agent/face/run-face.js';
import { geminiFace } from './stand-in/face.js';

void runAsProgram(geminiFace);
