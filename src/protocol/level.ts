import { LEVELS, type Level } from './event.ts';

/** Names that SDKs and logging libraries use beside the five of the protocol. */
const ALIASES: Readonly<Record<string, Level>> = {
  critical: 'fatal',
  crit: 'fatal',
  alert: 'fatal',
  emergency: 'fatal',
  panic: 'fatal',
  err: 'error',
  exception: 'error',
  warn: 'warning',
  log: 'info',
  notice: 'info',
  information: 'info',
  trace: 'debug',
  verbose: 'debug',
  sample: 'debug',
};

const BY_NAME: ReadonlyMap<string, Level> = new Map<string, Level>([
  ...LEVELS.map((level): [string, Level] => [level, level]),
  ...Object.entries(ALIASES),
]);

/**
 * Reads a level by name (any case, aliases included) or by Python's logging numbers (10 debug … 50 critical),
 * also as text. null for anything else.
 */
export function parseLevel(value: unknown): Level | null {
  if (typeof value === 'number') return levelOfNumber(value);
  if (typeof value !== 'string') return null;
  const name = value.trim().toLowerCase();
  return BY_NAME.get(name) ?? (/^\d{1,3}$/.test(name) ? levelOfNumber(Number(name)) : null);
}

function levelOfNumber(value: number): Level | null {
  if (!(value > 0)) return null;
  if (value < 20) return 'debug';
  if (value < 30) return 'info';
  if (value < 40) return 'warning';
  if (value < 50) return 'error';
  return 'fatal';
}
