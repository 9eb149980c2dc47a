import { ChevronRight, Plug } from 'lucide-react';
import type { Metadata } from 'next';
import { ConfirmDelete } from '#app/[org]/settings/confirm-delete.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { visibleText } from '#lib/visible-text.ts';
import { hasRight } from '#product/permissions.ts';
import { listTrackers, type TrackerRow } from '#product/trackers/list-trackers.ts';
import { TRACKER_WORDS, TRACKERS_OFFERED } from '#product/trackers/tracker-kinds.ts';
import type { TrackerKind } from '#storage/ports/trackers.ts';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { HookSetup } from './hook-setup.tsx';
import { disconnectTrackerAction } from './tracker-actions.ts';
import { TrackerForm, type TrackerFormWords } from './tracker-form.tsx';

export const metadata: Metadata = { title: 'Integrations' };

/** Where the organization keeps its work. */
export default async function IntegrationsPage({ params }: { params: Promise<{ org: string }> }) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const trackers = await listTrackers(ctx);
  const canChange = hasRight(ctx.actor, 'org:integrations');
  const now = ctx.now();
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Integrations"
        description="Connect where your work is tracked: issues are created and linked there from the page of an error, and commits and pull requests that name an error link and resolve it."
      />
      <div className="flex flex-col gap-5">
        <Card flush id="trackers" title="Connected">
          {trackers.length === 0 ? (
            <EmptyState icon={<Plug aria-hidden />} title="Nothing is connected yet">
              {canChange
                ? 'Connect a tracker below: all that it takes is its address and a token.'
                : 'Ask an admin of the organization to connect one.'}
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
                    {TRACKER_WORDS[kind].name}
                  </summary>
                  <div className="px-4 pt-1 pb-4">
                    <TrackerForm orgSlug={org} words={formWords(kind)} tracker={null} />
                  </div>
                </details>
              ))}
            </div>
          </Card>
        ) : null}
      </div>
    </PageBody>
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
  const words = TRACKER_WORDS[tracker.kind];
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
              'Its webhook has told nothing yet.'
            ) : (
              <>
                Its webhook told something <RelativeTime at={tracker.lastHookAt} now={now} />.
              </>
            )}
          </p>
        </div>
        {canChange ? (
          <ConfirmDelete
            name={name}
            consequence="Its token and the secret of its webhook are forgotten. Issues that are linked keep their addresses; what becomes of them is not shown any more."
            action={disconnectTrackerAction.bind(null, orgSlug, tracker.id)}
          />
        ) : null}
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
            <summary className="w-fit rounded-sm text-accent text-xs hover:underline">Change</summary>
            <div className="pt-3">
              <TrackerForm
                orgSlug={orgSlug}
                words={formWords(tracker.kind)}
                tracker={{ id: tracker.id, name: tracker.name, url: tracker.url, login: tracker.login }}
              />
            </div>
          </details>
        </div>
      ) : null}
    </li>
  );
}

function formWords(kind: TrackerKind): TrackerFormWords {
  const { name, url, hasOwnServers, login, tokenHelp, hookHelp, isHookSecretOurs } = TRACKER_WORDS[kind];
  return { kind, name, url, hasOwnServers, login, tokenHelp, hookHelp, isHookSecretOurs };
}
