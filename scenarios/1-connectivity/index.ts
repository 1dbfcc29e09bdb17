/** The first contact with each backend. */
export { connectivity } from './connect.js';
