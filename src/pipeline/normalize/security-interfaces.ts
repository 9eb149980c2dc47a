import type { EventType, NormalizedEvent } from '#protocol/event.ts';
import type { FieldReader, Source } from './field-reader.ts';
import { SECURITY_REPORT_LIMITS } from './limits.ts';

/** What browsers report, each under the name that is also the event's type. */
const NAMES = ['csp', 'hpkp', 'expectct', 'expectstaple', 'nel'] as const;
type SecurityInterfaces = Pick<NormalizedEvent, (typeof NAMES)[number]>;

/** Reads `csp`, `hpkp`, `expectct`, `expectstaple` and `nel`, within bounds and otherwise as they are. */
export function normalizeSecurityInterfaces(reader: FieldReader, source: Source): SecurityInterfaces {
  const interfaces: SecurityInterfaces = {};
  for (const name of NAMES) {
    const value = reader.jsonObject(source, name, '', SECURITY_REPORT_LIMITS);
    if (value !== undefined) interfaces[name] = value;
  }
  return interfaces;
}

/** The type of an event without exceptions that has these; null when it has none of them. */
export const typeOfSecurityEvent = (interfaces: SecurityInterfaces): EventType | null =>
  NAMES.find((name) => interfaces[name]) ?? null;
