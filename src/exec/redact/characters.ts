/** How many characters of one kind a pattern matches at most. */
export const LONGEST_RUN = 4096;

const ALPHANUMERIC = tabulate(/[A-Za-z0-9]/);
const IN_RUN = tabulate(/[\w.~+/=-]/);
const IN_ROW = tabulate(/[A-Za-z0-9+/=\\[;]/);

export function isAlphanumeric(code: number): boolean {
  return ALPHANUMERIC[code] === 1;
}

/** Whether a key that is longer than any real one goes on with this character. */
export function isRunCharacter(code: number): boolean {
  return IN_RUN[code] === 1;
}

/** Whether a row of a private key may go on with this character, or an escape before it. */
export function isRowCharacter(code: number): boolean {
  return IN_ROW[code] === 1;
}

/** Looking a character up is many times faster than a pattern. */
function tabulate(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}
