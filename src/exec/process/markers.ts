/** The variable that marks the processes of an attempt, no matter where they fork to. */
export const ATTEMPT_MARKER = 'RALPH_E2E_ATTEMPT';

/**
 * The variable that says which folder a process belongs to. If we hold the lock of the folder, such a process was left
 * by a killed run.
 */
export const FOLDER_MARKER = 'RALPH_E2E_FOLDER';
