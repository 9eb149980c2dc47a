import { invalid } from '#lib/errors.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { TelemetryFilter } from '#storage/ports/telemetry.ts';

type Filter = Partial<Record<TelemetryFilter, string>>;

const IDS: ReadonlySet<string> = new Set<TelemetryFilter>([
  'traceId',
  'eventId',
  'replayId',
  'associatedEventId',
  'transactionId',
  'profilerId',
]);

/** With ids as they are stored, whichever way they were written. Throws Invalid, naming the one that is no id. */
export function checkTelemetryFilter(filter: Filter): Filter {
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      if (!IDS.has(name)) return [name, value];
      const id = parseEventId(value);
      if (id === null) throw invalid(`${name} must be 32 hexadecimal digits`, name);
      return [name, id];
    }),
  );
}
