import { runAsProgram } from '../../agent/face/run-face.js';
import { claude } from './stand-in/face.js';

void runAsProgram(claude);
