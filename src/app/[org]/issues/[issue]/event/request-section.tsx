import type { RequestInfo } from '#protocol/event.ts';
import { Badge } from '#ui/badge.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { curlCommand, requestUrl } from './curl-command.ts';
import { dataRows, pairRows } from './data-rows.tsx';
import { DataValue } from './data-value.tsx';

/** The request during which it happened. */
export function RequestSection({ request }: { request: RequestInfo }) {
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
      {request.query_string?.length ? (
        <Part title="Query">
          <KeyValues rows={pairRows(request.query_string)} />
        </Part>
      ) : null}
      {request.fragment ? (
        <Part title="Fragment">
          <DataValue value={request.fragment} />
        </Part>
      ) : null}
      {request.data !== undefined && request.data !== null && request.data !== '' ? (
        <Part title="Body">
          <DataValue value={request.data} />
        </Part>
      ) : null}
      {request.headers?.length ? (
        <Part title="Headers">
          <KeyValues rows={pairRows(request.headers)} />
        </Part>
      ) : null}
      {request.cookies?.length ? (
        <Part title="Cookies">
          <KeyValues rows={pairRows(request.cookies)} />
        </Part>
      ) : null}
      {env.length > 0 ? (
        <Part title="Environment">
          <KeyValues rows={dataRows(request.env ?? {})} />
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
