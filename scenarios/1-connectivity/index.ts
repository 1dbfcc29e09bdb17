import type { Scenario } from '../../src/authoring.js';
import { customConnect } from '../2-orchestration/custom-backend.js';
import { firstContacts } from './connect.js';

/** The first contact with each backend. */
export const connectivity: readonly Scenario[] = [...firstContacts, customConnect];
