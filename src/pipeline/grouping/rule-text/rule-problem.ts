/** What is wrong with a line of rules; the line is left out. Both numbers begin at 1. */
export type RuleProblem = { line: number; column: number; message: string };
