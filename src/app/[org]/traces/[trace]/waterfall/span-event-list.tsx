import { formatElapsed } from '#ui/format-elapsed.ts';
import { KeyValues } from '#ui/key-values.tsx';
import type { SpanEvent } from './span-events.ts';

/** What was recorded during a span, an exception with its stack trace. */
export function SpanEventList({ events }: { events: readonly SpanEvent[] }) {
  return (
    <section aria-label="Events">
      <h3 className="mb-1 font-semibold text-sm">Events</h3>
      <ul className="divide-y text-sm">
        {events.map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never change, and nothing else tells them apart
          <li key={index} className="py-1.5">
            <p className="break-anything">
              <bdi className={event.exception === null ? 'font-medium' : 'font-medium text-danger'}>
                {event.exception ?? (event.name || 'Event')}
              </bdi>
              {event.afterUs === null ? null : (
                <span className="numbers text-text-muted text-xs"> after {formatElapsed(event.afterUs)}</span>
              )}
            </p>
            {event.stackTrace === null ? null : (
              <details>
                <summary className="w-fit rounded-sm py-1 text-accent text-xs hover:underline">
                  Stack trace
                </summary>
                <pre className="mono max-h-80 overflow-auto rounded-md bg-surface p-2 text-xs">
                  {event.stackTrace}
                </pre>
              </details>
            )}
            <KeyValues
              isNarrow
              rows={event.attributes.map(([name, value]) => ({ key: name, name, value: <bdi>{value}</bdi> }))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
