/** The variable by which processes of an attempt are found, wherever they fork to. */
export const ATTEMPT_MARKER = 'RALPH_E2E_ATTEMPT';

/**
 * The variable that tells to which folder a process belongs. Whoever holds the folder's lock knows that a process with
 * it was left by a run that was killed.
 */
export const FOLDER_MARKER = 'RALPH_E2E_FOLDER';
