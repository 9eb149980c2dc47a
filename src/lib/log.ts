import { pino } from 'pino';

export type Log = {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** One JSON object per line on stderr; stdout belongs to what people and scripts read. */
export function createLog(role: string, level = process.env.ERRATA_LOG_LEVEL ?? 'info'): Log {
  return pino(
    { level, base: { role }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 2, sync: true }),
  );
}
