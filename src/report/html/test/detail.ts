/** How much of a test is shown: its texts in characters, its lists in lines, its iterations. */
export interface Detail {
  readonly text: number;
  readonly rows: number;
  readonly iterations: number;
}

/** From everything to the least that is worth opening. Below the last level, a test is only its row. */
export const DETAILS: readonly Detail[] = [
  { text: 24_000, rows: 200, iterations: 60 },
  { text: 8_000, rows: 80, iterations: 24 },
  { text: 3_000, rows: 30, iterations: 10 },
  { text: 1_200, rows: 12, iterations: 5 },
  { text: 500, rows: 6, iterations: 3 },
  { text: 160, rows: 4, iterations: 2 },
];
