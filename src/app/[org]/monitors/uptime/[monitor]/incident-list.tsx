import type { UptimeIncident } from '#domain/uptime/incident.ts';
import { visibleText } from '#lib/visible-text.ts';
import { formatDuration } from '#ui/format-time.ts';
import { ExactTime } from '#ui/relative-time.tsx';

/** When a monitor was down or its certificate about to expire, and why. */
export function IncidentList({ incidents, now }: { incidents: readonly UptimeIncident[]; now: number }) {
  return (
    <ul aria-label="Incidents" className="divide-y">
      {incidents.map(({ id, kind, startedAt, endedAt, evidence }) => (
        <li key={id} className="px-4 py-2.5 text-sm">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-medium">{kind === 'downtime' ? 'Down' : 'Certificate expires soon'}</span>
            <span className="text-text-muted text-xs">
              <ExactTime at={startedAt} />
              {endedAt === null
                ? `, ongoing for ${formatDuration(now - startedAt)}`
                : `, for ${formatDuration(endedAt - startedAt)}`}
            </span>
          </p>
          <p className="break-anything text-text-muted">
            <bdi>{visibleText(evidence.detail)}</bdi>
          </p>
        </li>
      ))}
    </ul>
  );
}
