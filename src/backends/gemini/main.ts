import { runAsProgram } from '../../agent/face/run-face.js';
import { gemini } from './stand-in/face.js';

void runAsProgram(gemini);
