import type { Metadata } from 'next';
import { firstValue, type PageRequest, withQuery } from '#app/url-state.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { TableTime } from '#ui/table-time.tsx';
import { LOG_LEVELS, MARK_OF_LOG } from '../../traces/log-levels.ts';
import { TelemetryPage } from '../telemetry-page.tsx';
import { LevelFilter } from './level-filter.tsx';

export const metadata: Metadata = { title: 'Explore logs' };

/** Lines of logs of all projects, newest first. */
export default async function ExploreLogsPage(request: PageRequest<'org'>) {
  const asked = firstValue(await request.searchParams, 'level');
  const at = (LOG_LEVELS as readonly (string | null)[]).indexOf(asked);
  return (
    <TelemetryPage
      request={request}
      kind="logs"
      dataset="logs"
      filter={at > 0 ? { level: LOG_LEVELS.slice(at) } : undefined}
      controls={{
        entries: { level: at > 0 ? asked : null },
        node: <LevelFilter level={LOG_LEVELS[at] ?? 'trace'} />,
      }}
      placeholder="Search the text of lines"
      empty="No line matches. SDKs send logs once they are on: set enableLogs."
    >
      {(rows, { organizationSlug, slugOf }) => (
        <ol aria-label="Logs" className="divide-y">
          {rows.map(({ rowId, level, body, traceId, spanId, occurredAtUs, projectId }) => (
            <li key={rowId} className="flex items-baseline gap-3 px-4 py-1.5 text-xs max-sm:flex-wrap">
              <TableTime at={occurredAtUs / US_PER_MS} className="shrink-0 text-text-muted" />
              <LevelMark level={MARK_OF_LOG[level]} className="self-center" />
              <span className="shrink-0 text-text-muted">{slugOf(projectId)}</span>
              <bdi className="mono break-anything min-w-0 flex-1 whitespace-pre-wrap max-sm:basis-full">
                {body}
              </bdi>
              {traceId === null ? null : (
                <Link
                  href={withQuery(`/${organizationSlug}/traces/${traceId}`, { span: spanId })}
                  className="shrink-0 text-accent underline-offset-2 hover:underline"
                >
                  Trace
                </Link>
              )}
            </li>
          ))}
        </ol>
      )}
    </TelemetryPage>
  );
}

const US_PER_MS = 1_000;
