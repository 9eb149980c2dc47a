import { UserRoundX } from 'lucide-react';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { KeepFresh } from '#app/[org]/apply-uploads/keep-fresh.tsx';
import { ActionButton, ConfirmAction } from '#app/forms/confirm-action.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { isErrataError } from '#lib/errors.ts';
import { visibleText } from '#lib/visible-text.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { NOTES } from '#product/data-requests/certificate.ts';
import type { DataCounts, DataRequest } from '#product/data-requests/data-request.ts';
import {
  type DescribedRequest,
  ERASE_CONFIRMATION,
  getDataRequest,
} from '#product/data-requests/data-requests.ts';
import { hasRight } from '#product/permissions.ts';
import { formatUserKey } from '#product/users/user-key.ts';
import { Badge } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes, formatExact } from '#ui/format-number.ts';
import { type KeyValue, KeyValues } from '#ui/key-values.tsx';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { cancelDataRequestAction, eraseDataAction, exportDataAction } from '../actions.ts';
import { KIND_LABELS, STATE_LABELS, STEP_LABELS, subjectLabel } from '../request-fields.ts';

export const metadata: Metadata = { title: 'Data request' };

const UNDER_WAY: ReadonlySet<DataRequest['state']> = new Set(['counting', 'exporting', 'erasing', 'purging']);

export default async function DataRequestPage({ params }: PageRequest<'org' | 'request'>) {
  const { org, request: number } = await params;
  const ctx = await getRequestContext(org);
  if (!hasRight(ctx.actor, 'org:write')) return <NotForYou />;
  const described = await find(ctx, number);
  const { request, identifiers, erasedBefore } = described;
  const now = ctx.now();
  const path = `/${org}/settings/data-requests`;
  return (
    <SettingsPage
      title={`Data request #${request.id}`}
      description={subjectLabel(request)}
      actions={<ButtonLink href={path}>All requests</ButtonLink>}
    >
      {UNDER_WAY.has(request.state) ? <KeepFresh /> : null}
      <Card
        id="state"
        title="State"
        actions={<Badge tone={STATE_LABELS[request.state].tone}>{STATE_LABELS[request.state].label}</Badge>}
      >
        <div className="flex flex-col gap-4">
          <Progress request={request} />
          <KeyValues rows={factsOf(described, now)} />
          {request.notes.map((note) => (
            <Notice key={note}>{NOTES[note]}</Notice>
          ))}
          {erasedBefore.map(({ id, finishedAt }) => (
            <Notice key={id}>
              One of these identifiers was erased <RelativeTime at={finishedAt ?? now} now={now} />:{' '}
              <TextLink href={`${path}/${id}`}>request #{id}</TextLink>.
            </Notice>
          ))}
          <Actions ctx={ctx} request={request} path={`${path}/${request.id}`} />
        </div>
      </Card>
      {request.state === 'erased' ? (
        <CountCard id="removed" title="Removed" counts={request.removed} nothing="Nothing was stored." />
      ) : request.countedAt !== null ? (
        <CountCard
          id="found"
          title="Found"
          counts={request.found}
          nothing="Nothing is stored of this person. Check the spelling of the identifiers, and whether data scrubbing has removed them before anything was stored."
        />
      ) : null}
      {identifiers.length > 0 ? (
        <Card id="identifiers" title="Identifiers">
          <ul className="flex flex-col gap-1 text-sm">
            {identifiers.map((key) => (
              <li key={formatUserKey(key)} className="break-anything">
                <bdi>{visibleText(formatUserKey(key))}</bdi>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </SettingsPage>
  );
}

function Progress({ request }: { request: DataRequest }) {
  if (request.lastError !== null) {
    return (
      <Notice tone="warning" title="The last step is not complete and will be retried">
        <bdi>{visibleText(request.lastError)}</bdi>
      </Notice>
    );
  }
  if (request.state === 'counting')
    return <p className="text-sm">Reading everything that the organization has stored…</p>;
  if (request.state === 'exporting') return <p className="text-sm">Writing the archive…</p>;
  if (request.state === 'erasing' || request.state === 'purging') {
    return <p className="text-sm">{STEP_LABELS[request.step]}…</p>;
  }
  return null;
}

function factsOf({ request }: DescribedRequest, now: number): readonly KeyValue[] {
  const moment = (name: string, at: number | null): readonly KeyValue[] =>
    at === null ? [] : [{ name, value: <RelativeTime at={at} now={now} /> }];
  return [
    { name: 'Requested by', text: request.requestedByName },
    ...moment('Requested', request.createdAt),
    ...(request.eraseRequestedByName === null
      ? []
      : [{ name: 'Erased by', text: request.eraseRequestedByName }]),
    ...moment('Erasure requested', request.eraseRequestedAt),
    ...moment('Hidden', request.hiddenAt),
    ...moment('Rewritten on disk', request.purgedAt),
    ...moment('Finished', request.finishedAt),
  ];
}

function Actions({ ctx, request, path }: { ctx: Context; request: DataRequest; path: string }) {
  const org = ctx.organization.slug;
  const hasExport = request.exportExpiresAt !== null && request.exportExpiresAt > ctx.now();
  const isOwnExport = hasExport && request.exportRequestedBy === userIdOf(ctx);
  const isReady = request.state === 'counted';
  const hasData = Object.keys(request.found).length > 0;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {request.state === 'erased' ? (
        // A download: the client's own navigation would take it for a page.
        <a href={`${path}/certificate`} className={buttonClass()} download>
          Download certificate
        </a>
      ) : null}
      {isOwnExport ? (
        <a href={`${path}/export`} className={buttonClass()} download>
          Download export ({formatBytes(request.exportBytes ?? 0)})
        </a>
      ) : null}
      {isReady && hasData ? (
        <>
          <ActionButton
            action={exportDataAction.bind(null, org, request.id)}
            label={hasExport ? 'Export again' : 'Export'}
            pendingLabel="Starting…"
          />
          <ConfirmAction
            action={eraseDataAction.bind(null, org, request.id)}
            label="Erase…"
            title="Erase everything that was found?"
            description="Events, traces, logs, replays and files are deleted; in comments and titles the person’s identifiers are replaced by “[erased]”. Issues keep their counts. Issues that only this person had are deleted. This cannot be undone: export first if you need a copy."
            confirmLabel="Erase"
            doneTitle="Erasing"
            typed={ERASE_CONFIRMATION}
            variant="danger"
          />
        </>
      ) : null}
      {['counting', 'counted', 'exporting'].includes(request.state) && request.subject === 'person' ? (
        <ActionButton
          action={cancelDataRequestAction.bind(null, org, request.id)}
          label="Cancel request"
          variant="ghost"
          doneTitle="Request canceled. Nothing was changed."
        />
      ) : null}
    </div>
  );
}

function CountCard({
  id,
  title,
  counts,
  nothing,
}: {
  id: string;
  title: string;
  counts: DataCounts;
  nothing: string;
}) {
  const kinds = (Object.keys(KIND_LABELS) as (keyof DataCounts)[]).filter(
    (kind) => counts[kind] !== undefined,
  );
  return (
    <Card flush id={id} title={title}>
      {kinds.length === 0 ? (
        <p className="px-4 py-6 text-sm text-text-muted">{nothing}</p>
      ) : (
        <Table label={title} columns={['Kind', numeric('Rows')]}>
          {kinds.map((kind) => (
            <Tr key={kind}>
              <Td>{KIND_LABELS[kind]}</Td>
              <Td align="right">{formatExact(counts[kind] ?? 0)}</Td>
            </Tr>
          ))}
        </Table>
      )}
    </Card>
  );
}

async function find(ctx: Context, number: string): Promise<DescribedRequest> {
  if (!/^\d{1,15}$/.test(number)) notFound();
  try {
    return await getDataRequest(ctx, Number(number));
  } catch (error) {
    if (isErrataError(error) && error.code === 'not_found') notFound();
    throw error;
  }
}

function NotForYou() {
  return (
    <SettingsPage title="Data request">
      <EmptyState icon={<UserRoundX aria-hidden />} title="For managers and owners">
        Your role cannot export or erase the data of a person. Ask a manager or an owner.
      </EmptyState>
    </SettingsPage>
  );
}
