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
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { disconnectTrackerAction } from './actions.ts';
import { HookSetup, TrackerForm, type TrackerFormInfo } from './tracker-form.tsx';

export const metadata: Metadata = { title: 'Integrations' };

/** Where the organization keeps its work. */
export default async function IntegrationsPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const trackers = await listTrackers(ctx);
  const canChange = mayChangeSharedObjects(ctx);
  const now = ctx.now();
  return (
    <Page
      width="narrow"
      title="Integrations"
      description="Create and link tracker issues from an issue's page. Commits and pull requests that mention an issue link to it and resolve it."
    >
      <div className="flex flex-col gap-5">
        <Card flush id="trackers" title="Connected">
          {trackers.length === 0 ? (
            <EmptyState icon={<Plug aria-hidden />} title="No trackers connected yet">
              {canChange
                ? 'Connect one below: you only need its URL and a token.'
                : 'Ask a manager or an owner to connect one.'}
            </EmptyState>
          ) : (
            <ul className="divide-y">
              {trackers.map((tracker) => (
                <TrackerItem
                  key={tracker.id}
                  orgSlug={org}
                  tracker={tracker}
                  canChange={canChange}
                  now={now}
                />
              ))}
            </ul>
          )}
        </Card>
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
      </div>
    </Page>
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
    <li className="px-4 py-3">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="break-anything font-medium text-sm">
            <bdi>{name}</bdi>
          </p>
          <p className="break-anything text-text-muted text-xs">
            {words.name}, <ExternalLink href={tracker.url} />, as <bdi>{visibleText(tracker.account)}</bdi>
          </p>
          <p className="text-text-muted text-xs">
            {tracker.lastHookAt === null ? (
              'No webhook events received yet.'
            ) : (
              <>
                Last webhook event <RelativeTime at={tracker.lastHookAt} now={now} />.
              </>
            )}
          </p>
        </div>
        <ConfirmDelete
          name={name}
          consequence="Its token and webhook secret are deleted. Linked issues keep their links, but their status is no longer updated."
          action={disconnectTrackerAction.bind(null, orgSlug, tracker.id)}
          disabledReason={canChange ? null : MANAGERS_ONLY}
        />
      </div>
      {canChange ? (
        <div className="mt-1.5 flex flex-col gap-1.5">
          <details>
            <summary className="w-fit rounded-sm text-accent text-xs hover:underline">Webhook</summary>
            <div className="pt-3">
              <HookSetup
                orgSlug={orgSlug}
                trackerId={tracker.id}
                hookUrl={tracker.hookUrl}
                help={words.hookHelp}
                trackerName={words.name}
                isSecretOurs={words.isHookSecretOurs}
              />
            </div>
          </details>
          <details>
            <summary className="w-fit rounded-sm text-accent text-xs hover:underline">Edit</summary>
            <div className="pt-3">
              <TrackerForm
                orgSlug={orgSlug}
                info={formInfo(tracker.kind)}
                tracker={{ id: tracker.id, name: tracker.name, url: tracker.url, login: tracker.login }}
              />
            </div>
          </details>
        </div>
      ) : null}
    </li>
  );
}

function formInfo(kind: TrackerKind): TrackerFormInfo {
  const { name, url, hasOwnServers, login, tokenHelp, hookHelp, isHookSecretOurs } = TRACKER_LABELS[kind];
  return { kind, name, url, hasOwnServers, login, tokenHelp, hookHelp, isHookSecretOurs };
}
