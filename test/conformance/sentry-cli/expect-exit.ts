import type { CliResult } from './sentry-cli.ts';

export function expectExit(result: CliResult, code: number, command: string): void {
  if (result.code === code) return;
  throw new Error(`sentry-cli ${command} ended with ${result.code}:\n${result.stdout}${result.stderr}`);
}

/** Throws unless the condition holds. */
export function expectThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`Expected ${what}`);
}

/** The first group of the pattern in the text. Throws when it is not there. */
export function expectMatch(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`Expected ${pattern} in:\n${text}`);
  return found;
}
