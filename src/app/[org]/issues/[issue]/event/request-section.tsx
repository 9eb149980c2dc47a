import type { RequestInfo } from '#protocol/event.ts';
import { Badge } from '#ui/badge.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { requestUrl } from './curl-command.ts';
import { marksOf, metaAt, ScrubBadges } from './scrub-marks.tsx';
import { CopyFrom } from './section-controls.tsx';
import { DataTable, MarkedValue, pairRows } from './values/data-value.tsx';
import { below } from './values/value-place.ts';

/** The request during which it happened; `meta` is its branch of the event's `_meta`. */
export function RequestSection({
  request,
  eventHref,
  meta,
}: {
  request: RequestInfo;
  eventHref: string;
  meta?: unknown;
}) {
  const place = { eventHref, path: ['request'] };
  const url = requestUrl(request);
  const env = Object.entries(request.env ?? {});
  return (
    <div className="space-y-4">
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-2">
        <div className="mono flex min-w-0 items-baseline gap-2 text-sm">
          {request.method ? <Badge>{request.method}</Badge> : null}
          {url ? <ExternalLink href={url} /> : <span className="text-text-faint">(no URL)</span>}
        </div>
        {url ? (
          <CopyFrom href={`${eventHref}/curl`} label="Copy as curl command">
            Copy as curl
          </CopyFrom>
        ) : null}
      </div>
      <ScrubBadges marks={marksOf(metaAt(meta, 'url'))} />
      {request.query_string?.length ? (
        <Part title="Query">
          <KeyValues
            rows={pairRows(request.query_string, below(place, 'query_string'), metaAt(meta, 'query_string'))}
          />
        </Part>
      ) : null}
      {request.fragment ? (
        <Part title="Fragment">
          <MarkedValue
            value={request.fragment}
            place={below(place, 'fragment')}
            meta={metaAt(meta, 'fragment')}
          />
        </Part>
      ) : null}
      {request.data !== undefined && request.data !== null && request.data !== '' ? (
        <Part title="Body">
          <MarkedValue value={request.data} place={below(place, 'data')} meta={metaAt(meta, 'data')} />
        </Part>
      ) : null}
      {request.headers?.length ? (
        <Part title="Headers">
          <KeyValues rows={pairRows(request.headers, below(place, 'headers'), metaAt(meta, 'headers'))} />
        </Part>
      ) : null}
      {request.cookies?.length ? (
        <Part title="Cookies">
          <KeyValues rows={pairRows(request.cookies, below(place, 'cookies'), metaAt(meta, 'cookies'))} />
        </Part>
      ) : null}
      {env.length > 0 ? (
        <Part title="Environment">
          <DataTable data={request.env ?? {}} place={below(place, 'env')} meta={metaAt(meta, 'env')} />
        </Part>
      ) : null}
    </div>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 font-medium text-sm text-text-muted">{title}</h3>
      {children}
    </div>
  );
}
