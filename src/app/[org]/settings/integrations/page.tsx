import { ChevronRight, Plug } from 'lucide-react';
import type { Metadata } from 'next';
import { MANAGERS_ONLY, ManagersOnly } from '#app/[org]/settings/managers-only.tsx';
import { ConfirmDelete } from '#app/forms/confirm-action.tsx';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import { visibleText } from '#lib/visible-text.ts';
import { mayChangeSharedObjects } from '#product/shared-objects.ts';
import { TRACKER_LABELS, TRACKERS_OFFERED, type TrackerKind } from '#product/trackers/tracker-kinds.ts';
import { listTrackers, type TrackerRow } from '#product/trackers/trackers.ts';
import { Card, ListCard } from '#ui/card.tsx';
import { Disclosure, EditableRow } from '#ui/disclosure.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { disconnectTrackerAction } from './actions.ts';
import { HookSetup, TrackerForm, type TrackerFormInfo } from './tracker-form.tsx';

export const metadata: Metadata = { title: 'Integrations' };

export default async function IntegrationsPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const trackers = await listTrackers(ctx);
  const canChange = mayChangeSharedObjects(ctx);
  const now = ctx.now();
  return (
    <SettingsPage
      title="Integrations"
      description="Create and link tracker issues from an issue's page. Commits and pull requests that mention an issue link to it and resolve it."
    >
      <ListCard
        id="trackers"
        title="Connected"
        empty={
          <EmptyState icon={<Plug aria-hidden />} title="No trackers connected yet">
            {canChange
              ? 'Connect one below: you only need its URL and a token.'
              : 'Ask a manager or an owner to connect one.'}
          </EmptyState>
        }
      >
        {trackers.map((tracker) => (
          <TrackerItem key={tracker.id} orgSlug={org} tracker={tracker} canChange={canChange} now={now} />
        ))}
      </ListCard>
      {canChange ? null : (
        <Card id="connect" title="Connect a tracker">
          <ManagersOnly label="Connect">
            Trackers are shared by all projects. Ask a manager or an owner to connect or change them.
          </ManagersOnly>
        </Card>
      )}
      {canChange ? (
        <Card flush id="connect" title="Connect a tracker">
          <div className="divide-y">
            {TRACKERS_OFFERED.map((kind) => (
              <details key={kind} className="group">
                <summary className="flex items-center gap-2 px-4 py-3 font-medium text-sm hover:bg-surface-hover focus-visible:-outline-offset-2">
                  <ChevronRight
                    aria-hidden
                    className="size-4 text-text-muted transition-transform group-open:rotate-90"
                  />
                  {TRACKER_LABELS[kind].name}
                </summary>
                <div className="px-4 pt-1 pb-4">
                  <TrackerForm orgSlug={org} info={formInfo(kind)} tracker={null} />
                </div>
              </details>
            ))}
          </div>
        </Card>
      ) : null}
    </SettingsPage>
  );
}

function TrackerItem({
  orgSlug,
  tracker,
  canChange,
  now,
}: {
  orgSlug: string;
  tracker: TrackerRow;
  canChange: boolean;
  now: number;
}) {
  const words = TRACKER_LABELS[tracker.kind];
  const name = visibleText(tracker.name);
  return (
    <EditableRow
      title={<bdi>{name}</bdi>}
      facts={
        <>
          <p>
            {words.name}, <ExternalLink href={tracker.url} />, as <bdi>{visibleText(tracker.account)}</bdi>
          </p>
          {tracker.lastHookAt === null ? (
            'No webhook events received yet.'
          ) : (
            <>
              Last webhook event <RelativeTime at={tracker.lastHookAt} now={now} />.
            </>
          )}
        </>
      }
      actions={
        <ConfirmDelete
          name={name}
          consequence="Its token and webhook secret are deleted. Linked issues keep their links, but their status is no longer updated."
          action={disconnectTrackerAction.bind(null, orgSlug, tracker.id)}
          disabledReason={canChange ? null : MANAGERS_ONLY}
        />
      }
    >
      {canChange ? (
        <>
          <Disclosure summary="Webhook">
            <HookSetup
              orgSlug={orgSlug}
              trackerId={tracker.id}
              hookUrl={tracker.hookUrl}
              help={words.hookHelp}
              trackerName={words.name}
              isSecretOurs={words.isHookSecretOurs}
            />
          </Disclosure>
          <Disclosure summary="Edit">
            <TrackerForm
              orgSlug={orgSlug}
              info={formInfo(tracker.kind)}
              tracker={{ id: tracker.id, name: tracker.name, url: tracker.url, login: tracker.login }}
            />
          </Disclosure>
        </>
      ) : null}
    </EditableRow>
  );
}

function formInfo(kind: TrackerKind): TrackerFormInfo {
  const { name, url, hasOwnServers, login, tokenHelp, hookHelp, isHookSecretOurs } = TRACKER_LABELS[kind];
  return { kind, name, url, hasOwnServers, login, tokenHelp, hookHelp, isHookSecretOurs };
}
