import type { ProcessingError } from '#protocol/event.ts';
import { DataValue } from './values/data-value.tsx';
import { below } from './values/value-location.ts';

/** Which fields of the event were not kept as sent, and why. */
export function ProcessingErrors({
  errors,
  eventHref,
}: {
  errors: readonly ProcessingError[];
  eventHref: string;
}) {
  const place = { eventHref, path: ['errors'] };
  return (
    <ul className="rounded-md border">
      {errors.map((error, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the same field can be named twice
          key={index}
          className="border-b px-4 py-2 text-sm last:border-b-0"
        >
          <p className="break-anything">
            <bdi className="mono font-medium text-xs">{error.name}</bdi>{' '}
            <span className="text-text-muted">
              <bdi>{error.reason ?? PROBLEMS[error.type] ?? error.type.replaceAll('_', ' ')}</bdi>
            </span>
          </p>
          {error.value === undefined ? null : (
            <div className="mt-0.5 text-text-muted">
              <DataValue value={error.value} place={below(place, index, 'value')} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What an event says of itself without a reason of its own. Source: Sentry's `EventError`. */
const PROBLEMS: Readonly<Record<string, string>> = {
  invalid_data: 'has an invalid type and was removed',
  invalid_attribute: 'is not a known attribute and was removed',
  missing_attribute: 'is required but missing',
  value_too_long: 'was too long and was truncated',
  past_timestamp: 'is too far in the past and was replaced by the time of arrival',
  future_timestamp: 'is in the future and was replaced by the time of arrival',
  clock_drift: 'was corrected because the device clock was wrong',
};
