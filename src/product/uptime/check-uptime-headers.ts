import type { UptimeHeaders, UptimeMonitor } from '#domain/uptime/monitor.ts';
import { invalid } from '#lib/errors.ts';

const HEADERS_MAX = 20;
const VALUE_CHARACTERS_MAX = 2_000;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\x20-\x7e\t]+$/;
/** What the connection itself decides. */
const RESERVED: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'accept-encoding',
  'sentry-trace',
]);

/** Headers with the values that are kept filled in. Throws Invalid. */
export function checkUptimeHeaders(
  given: Readonly<Record<string, string | null>>,
  url: string,
  known: { monitor: Pick<UptimeMonitor, 'url'>; headers: UptimeHeaders | null } | null,
): UptimeHeaders {
  const entries = Object.entries(given);
  if (entries.length > HEADERS_MAX)
    throw invalid(`A monitor can send at most ${HEADERS_MAX} headers`, 'headers');
  const names = new Set(entries.map(([name]) => name.toLowerCase()));
  if (names.size < entries.length) throw invalid('Each header can be sent only once', 'headers');
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (!NAME.test(name)) throw invalid(`“${name.slice(0, 40)}” is not a header name`, 'headers');
      if (RESERVED.has(name.toLowerCase())) {
        throw invalid(`The header ${name} is set by the request itself: leave it out`, 'headers');
      }
      const kept = value?.trim() || keptValue(name, url, known);
      if (!VALUE.test(kept) || kept.length > VALUE_CHARACTERS_MAX) {
        throw invalid(
          `The value of ${name} must have at most ${VALUE_CHARACTERS_MAX} characters of ASCII`,
          'headers',
        );
      }
      return [name, kept];
    }),
  );
}

/** A value that nobody entered goes only where it went before: whoever changes the URL could make it come to them. */
function keptValue(
  name: string,
  url: string,
  known: { monitor: Pick<UptimeMonitor, 'url'>; headers: UptimeHeaders | null } | null,
): string {
  const headers = known?.headers ?? {};
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name.toLowerCase());
  if (known === null || key === undefined) throw invalid(`Enter a value for the header ${name}`, 'headers');
  if (new URL(known.monitor.url).origin !== new URL(url).origin) {
    throw invalid(`Enter the value of ${name} again: it would be sent to a different server`, 'headers');
  }
  return headers[key]!;
}
