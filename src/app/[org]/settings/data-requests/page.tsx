import { UserRoundX } from 'lucide-react';
import type { Metadata } from 'next';
import { FieldsForm } from '#app/forms/fields-form.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { EXPORT_DAYS, listDataRequests } from '#product/data-requests/data-requests.ts';
import { hasRight } from '#product/permissions.ts';
import { parseUserKey } from '#product/users/user-key.ts';
import { Badge } from '#ui/badge.tsx';
import { Card, ListCard } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ListRow } from '#ui/list-row.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { requestDataAction } from './actions.ts';
import { REQUEST_FIELDS, STATE_LABELS, subjectLabel } from './request-fields.ts';

export const metadata: Metadata = { title: 'Data requests' };

/** `user` fills in an identifier, as the page of a user links here; it may be given several times. */
export default async function DataRequestsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const search = await searchParams;
  const ctx = await getRequestContext(org);
  if (!hasRight(ctx.actor, 'org:write')) return <NotForYou />;
  const requests = await listDataRequests(ctx);
  const now = ctx.now();
  const keys = [search.user ?? []].flat().flatMap((text) => parseUserKey(text) ?? []);
  const values = Object.fromEntries(
    Object.entries(Object.groupBy(keys, ({ kind }) => kind)).map(([kind, own]) => [
      kind,
      own.map(({ value }) => value).join('\n'),
    ]),
  );
  return (
    <SettingsPage
      title="Data requests"
      description="Find, export and erase everything that is stored of one of your users: events, traces, logs, replays, feedback with attachments, and texts that mention them."
    >
      <Card id="new-request" title="Find a person’s data">
        <FieldsForm
          key={firstValue(search, 'user') ?? ''}
          fields={REQUEST_FIELDS}
          values={values}
          columns={2}
          save={{
            action: requestDataAction.bind(null, org, null),
            label: 'Find data',
            doneTitle: 'Searching',
          }}
          note={`Nothing is changed yet: you see what was found, and decide then. Identifiers are encrypted, and forgotten once the data is erased or the request is canceled. An export can be downloaded for ${EXPORT_DAYS} days.`}
        />
      </Card>
      <ListCard
        id="requests"
        title="Requests"
        empty={
          <EmptyState icon={<UserRoundX aria-hidden />} title="No requests yet">
            Requests appear here with their progress, and with the certificate of what was erased. Deleted
            projects appear here, too.
          </EmptyState>
        }
      >
        {requests.map((request) => (
          <ListRow
            key={request.id}
            title={
              <>
                <TextLink href={`/${org}/settings/data-requests/${request.id}`}>
                  #{request.id} {subjectLabel(request)}
                </TextLink>
                <Badge tone={STATE_LABELS[request.state].tone}>{STATE_LABELS[request.state].label}</Badge>
              </>
            }
          >
            Requested by <bdi>{request.requestedByName}</bdi>{' '}
            <RelativeTime at={request.createdAt} now={now} />
            {request.exportExpiresAt !== null && request.exportExpiresAt > now ? '; export ready' : ''}
            {request.state === 'erased' ? '; certificate available' : ''}
          </ListRow>
        ))}
      </ListCard>
    </SettingsPage>
  );
}

function NotForYou() {
  return (
    <SettingsPage title="Data requests">
      <EmptyState icon={<UserRoundX aria-hidden />} title="For managers and owners">
        Your role cannot export or erase the data of a person. Ask a manager or an owner.
      </EmptyState>
    </SettingsPage>
  );
}
