import type { DigestedLog } from '#protocol/telemetry.ts';
import type { MarkLevel } from '#ui/level-badge.tsx';

export type LogLevel = DigestedLog['level'];

/** The least urgent first. */
export const LOG_LEVELS = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
] as const satisfies readonly LogLevel[];

export const MARK_OF_LOG: Readonly<Record<LogLevel, MarkLevel>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  fatal: 'fatal',
};
