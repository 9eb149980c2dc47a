import type { FieldReader, Source } from '../normalize/field-reader.ts';
import { isSource } from '../normalize/field-reader.ts';
import { MEASUREMENTS_MAX, METRIC_UNIT_CHARS_MAX } from '../telemetry/limits.ts';
import { numberOf } from './read-span-v1.ts';

export type Measurements = Readonly<Record<string, { value: number; unit: string }>>;

/** Reads `measurements` of an event: named numbers with their units; the others go, with a reason. */
export function readMeasurements(reader: FieldReader, event: Source): Measurements {
  const source = reader.object(event, 'measurements', '');
  const measurements: [string, { value: number; unit: string }][] = [];
  for (const [name, sent] of Object.entries(source ?? {})) {
    if (sent === null || name === '__proto__') continue;
    const value = isSource(sent) ? numberOf(sent.value) : undefined;
    if (value === undefined || !/^[a-zA-Z0-9_.-]{1,200}$/.test(name)) {
      reader.invalid('measurements', name, 'a name and a number', sent);
      continue;
    }
    if (measurements.length >= MEASUREMENTS_MAX) {
      reader.report('too_many_items', '', 'measurements', `kept the first ${MEASUREMENTS_MAX}`);
      break;
    }
    const unit = isSource(sent)
      ? reader.text(sent, 'unit', `measurements.${name}`, METRIC_UNIT_CHARS_MAX)
      : '';
    measurements.push([name, { value, unit: unit || 'none' }]);
  }
  return Object.fromEntries(measurements);
}
