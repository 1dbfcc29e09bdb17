import { runAsProgram } from '../../agent/face/run-face.js';
import { opencodeFace } from './stand-in/face.js';

void runAsProgram(opencodeFace);
