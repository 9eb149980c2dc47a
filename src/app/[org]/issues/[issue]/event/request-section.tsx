import type { RequestInfo } from '#protocol/event.ts';
import { Badge } from '#ui/badge.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { requestUrl } from './curl-command.ts';
import { marksOf, metaAt, ScrubBadges } from './scrub-marks.tsx';
import { CopyFrom } from './section-controls.tsx';
import { DataTable, MarkedValue, pairRows } from './values/data-value.tsx';
import { below } from './values/value-location.ts';

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
  const marked = (key: 'fragment' | 'data') => (
    <MarkedValue value={request[key]} place={below(place, key)} meta={metaAt(meta, key)} />
  );
  const pairs = (title: string, key: 'query_string' | 'headers' | 'cookies') =>
    request[key]?.length ? (
      <Part title={title}>
        <KeyValues rows={pairRows(request[key], below(place, key), metaAt(meta, key))} />
      </Part>
    ) : null;
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
      {pairs('Query', 'query_string')}
      {request.fragment ? <Part title="Fragment">{marked('fragment')}</Part> : null}
      {request.data !== undefined && request.data !== null && request.data !== '' ? (
        <Part title="Body">{marked('data')}</Part>
      ) : null}
      {pairs('Headers', 'headers')}
      {pairs('Cookies', 'cookies')}
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
