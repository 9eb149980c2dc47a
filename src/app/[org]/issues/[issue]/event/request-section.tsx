import type { RequestInfo } from '#protocol/event.ts';
import { Badge } from '#ui/badge.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { curlCommand, requestUrl } from './curl-command.ts';
import { dataRows, MarkedValue, pairRows } from './data-rows.tsx';
import { ScrubBadges } from './scrub-badges.tsx';
import { marksOf, metaAt } from './scrub-marks.ts';

/** The request during which it happened; `meta` is its branch of the event's `_meta`. */
export function RequestSection({ request, meta }: { request: RequestInfo; meta?: unknown }) {
  const url = requestUrl(request);
  const env = Object.entries(request.env ?? {});
  return (
    <div className="space-y-4">
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-2">
        <div className="mono flex min-w-0 items-baseline gap-2 text-sm">
          {request.method ? <Badge>{request.method}</Badge> : null}
          {url ? <ExternalLink href={url} /> : <span className="text-text-faint">no address</span>}
        </div>
        {url ? (
          <CopyButton text={curlCommand(request)} label="Copy as a curl command">
            Copy as curl
          </CopyButton>
        ) : null}
      </div>
      <ScrubBadges marks={marksOf(metaAt(meta, 'url'))} />
      {request.query_string?.length ? (
        <Part title="Query">
          <KeyValues rows={pairRows(request.query_string, metaAt(meta, 'query_string'))} />
        </Part>
      ) : null}
      {request.fragment ? (
        <Part title="Fragment">
          <MarkedValue value={request.fragment} meta={metaAt(meta, 'fragment')} />
        </Part>
      ) : null}
      {request.data !== undefined && request.data !== null && request.data !== '' ? (
        <Part title="Body">
          <MarkedValue value={request.data} meta={metaAt(meta, 'data')} />
        </Part>
      ) : null}
      {request.headers?.length ? (
        <Part title="Headers">
          <KeyValues rows={pairRows(request.headers, metaAt(meta, 'headers'))} />
        </Part>
      ) : null}
      {request.cookies?.length ? (
        <Part title="Cookies">
          <KeyValues rows={pairRows(request.cookies, metaAt(meta, 'cookies'))} />
        </Part>
      ) : null}
      {env.length > 0 ? (
        <Part title="Environment">
          <KeyValues rows={dataRows(request.env ?? {}, metaAt(meta, 'env'))} />
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
