import type { ProcessingError } from '#protocol/event.ts';
import { DataValue } from './data-value.tsx';

/** Which fields of the event were not kept as sent, and why. */
export function ProcessingErrors({ errors }: { errors: readonly ProcessingError[] }) {
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
              <bdi>{error.reason ?? error.type.replaceAll('_', ' ')}</bdi>
            </span>
          </p>
          {error.value === undefined ? null : (
            <div className="mt-0.5 text-text-muted">
              <DataValue value={error.value} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
