import type { DigestedLog } from '#protocol/telemetry.ts';
import { NAME_CHARS_MAX } from '../normalize/limits.ts';
import { cutText } from '../normalize/safe-text.ts';
import { attributesOf } from '../telemetry/attributes.ts';
import { LOG_BODY_CHARS_MAX } from '../telemetry/limits.ts';
import { columnOf, type Judge, type RowFacts } from '../telemetry/row-collector.ts';

/** A log of any format, read but not yet judged. */
export type LogFacts = RowFacts & {
  source: DigestedLog['source'];
  level: DigestedLog['level'];
  severityNumber: number;
  /** Storable, perhaps too long; null when there is none. */
  body: string | null;
};

/** Says how long a body was before it was cut. */
const BODY_CHARS = 'errata.body_chars';

export const judgeLog: Judge<LogFacts, DigestedLog> = (facts, { rules: { scrubber } }) => {
  const { body, attributes, level, severityNumber, source } = facts;
  if (body === null) return 'invalid_log';
  if (body.length > LOG_BODY_CHARS_MAX) attributes.set(BODY_CHARS, body.length);
  return (columns) => {
    const scrubbed = scrubber.scrubRecord('log', {
      body: cutText(body, LOG_BODY_CHARS_MAX),
      attributes: attributes.toRecord(),
    });
    const kept = attributesOf(scrubbed.attributes);
    return {
      ...columns(kept),
      level,
      severityNumber,
      body: typeof scrubbed.body === 'string' ? scrubbed.body : '',
      source,
      sdkName: columnOf(kept, NAME_CHARS_MAX, 'sentry.sdk.name') ?? '',
    };
  };
};

type LogLevel = DigestedLog['level'];

/** The first number of each level's four. Source: https://opentelemetry.io/docs/specs/otel/logs/data-model/ */
const SEVERITY: Readonly<Record<LogLevel, number>> = {
  trace: 1,
  debug: 5,
  info: 9,
  warn: 13,
  error: 17,
  fatal: 21,
};

const BY_NUMBER: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

const ALIASES: Readonly<Record<string, LogLevel>> = {
  log: 'info',
  information: 'info',
  notice: 'info',
  warning: 'warn',
  err: 'error',
  critical: 'fatal',
  emergency: 'fatal',
};

/** Level and number of a log from what was sent of them; each is made from the other, and `info` from nothing. */
export function readSeverity(
  levelSent: unknown,
  numberSent: unknown,
): { level: LogLevel; severityNumber: number } {
  const number = numberOf(numberSent);
  const level = levelOf(levelSent) ?? (number === null ? 'info' : levelOfNumber(number));
  return { level, severityNumber: number ?? SEVERITY[level] };
}

function levelOf(sent: unknown): LogLevel | null {
  if (typeof sent !== 'string') return null;
  const name = sent.trim().toLowerCase();
  if (Object.hasOwn(SEVERITY, name)) return name as LogLevel;
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? null) : null;
}

const levelOfNumber = (severityNumber: number): LogLevel =>
  BY_NUMBER[Math.floor((severityNumber - 1) / 4)] ?? 'info';

/** 1 to 24; null for anything else. */
function numberOf(sent: unknown): number | null {
  const number = typeof sent === 'string' && sent !== '' ? Number(sent) : sent;
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= 24
    ? number
    : null;
}
