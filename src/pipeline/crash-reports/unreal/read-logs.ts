import type { Breadcrumb } from '#protocol/event.ts';

/** As many as the reference keeps. */
const LINES_MAX = 40;
const LINE_CHARS_MAX = 8_192;

/** `Log file open, 12/13/18 15:54:53`: in the order of the United States, in the time of the machine. */
const OPENED = /^Log file open, (\d\d)\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)/;
/** `[2018.12.13-15.54.53:717][ 12]LogWindows: …` */
const STAMPED = /^\[(\d{4})\.(\d\d)\.(\d\d)-(\d\d)\.(\d\d)\.(\d\d):(\d{3})\]\[\s*\d+\]/;
const COMPONENT = /^([A-Za-z][\w-]{0,63}): /;

/**
 * The last lines of a log of Unreal as breadcrumbs. Lines without a time have that of the next line that has one, else
 * when the log was opened. Source: symbolic-unreal/src/logs.rs; `merge_unreal_logs` in relay-server/src/utils/unreal.rs.
 */
export function readUnrealLogs(log: Uint8Array, isWhole: boolean): Breadcrumb[] {
  const text = Buffer.from(log.buffer, log.byteOffset, log.byteLength).toString('utf8');
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  // The first line says when the log was opened; of a log that was cut it is half a line.
  const [first = ''] = lines;
  let timestamp = isWhole ? timeOf(OPENED.exec(first), 'opened') : null;
  const rest = lines.slice(1).filter((line) => line.trim() !== '');
  const breadcrumbs: Breadcrumb[] = [];
  for (const line of rest.slice(-LINES_MAX).reverse()) {
    const stamp = STAMPED.exec(line);
    timestamp = timeOf(stamp, 'stamped') ?? timestamp;
    const said = stamp ? line.slice(stamp[0].length) : line;
    const component = COMPONENT.exec(said);
    breadcrumbs.unshift({
      timestamp,
      category: component?.[1] ?? null,
      message: (component ? said.slice(component[0].length) : said).slice(0, LINE_CHARS_MAX).toWellFormed(),
    });
  }
  return breadcrumbs;
}

/** Seconds since the epoch, as if the machine's time were UTC: nobody knows its zone. */
function timeOf(match: RegExpExecArray | null, form: 'opened' | 'stamped'): number | null {
  if (match === null) return null;
  const [a = 0, b = 0, c = 0, hour = 0, minute = 0, second = 0, millisecond = 0] = match.slice(1).map(Number);
  const [year, month, day] = form === 'opened' ? [2000 + c, a, b] : [a, b, c];
  const isTime =
    month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour < 24 && minute < 60 && second < 60;
  return isTime ? Date.UTC(year, month - 1, day, hour, minute, second, millisecond) / 1000 : null;
}
