import type { Metadata } from 'next';
import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import { LoadError } from '#app/shell/panel.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import {
  findReplayProject,
  getReplay,
  listReplayErrors,
  listReplaySegments,
} from '#product/replays/replays.ts';
import type { ReplaySummary } from '#storage/ports/telemetry.ts';
import { Page } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { Entry } from '../recording/timeline.ts';
import { replayUser, versioned } from '../replay-view.ts';
import { DeleteButton } from './delete-button.tsx';
import { findInitialAt } from './initial-at.ts';
import { ReplayPlayer } from './player/replay-player.tsx';

export async function generateMetadata({ params }: PageRequest<'replay'>): Promise<Metadata> {
  return { title: `Replay ${(await params).replay.slice(0, 8)}` };
}

/** A recording with what happened in it; `?t=` seconds, or `?at=` a moment, is where it begins. */
export default async function ReplayPage({ params, searchParams }: PageRequest<'org' | 'replay'>) {
  const { org, replay: replayId } = await params;
  const ctx = await getRequestContext(org);
  const found = await orUnavailable(orNotFound(loadReplay(ctx, replayId)));
  if (!found.ok) {
    return (
      <Page title="Replay">
        <LoadError what="the replay">{found.reason}</LoadError>
      </Page>
    );
  }
  const { replay, project, errors, isVideo } = found.value;
  const durationMs = Math.max(0, replay.finishedAt - replay.startedAt);
  const query = await searchParams;
  return (
    <Page
      title={<bdi className="break-anything">{replayUser(replay)}</bdi>}
      description={<Facts replay={replay} projectSlug={project.slug} now={ctx.now()} />}
      actions={
        ctx.actor.kind === 'user' && hasRight(ctx.actor, 'event:admin') ? (
          <DeleteButton organizationSlug={org} projectSlug={project.slug} replayId={replay.replayId} />
        ) : null
      }
    >
      <ReplayPlayer
        organizationSlug={org}
        recordingUrl={`/${org}/replays/${replay.replayId}/recording`}
        isVideo={isVideo}
        durationMs={durationMs}
        initialAt={findInitialAt(
          { t: firstValue(query, 't'), at: firstValue(query, 'at') },
          { startedAt: replay.startedAt, durationMs },
        )}
        errors={errors.map(({ event, issue }) => errorEntry(event, issue, replay, org))}
        tags={tagsOf(replay)}
        traceIds={replay.traceIds}
      />
    </Page>
  );
}

async function loadReplay(ctx: Context, replayId: string) {
  const [replay, project] = await Promise.all([
    getReplay(ctx, { projectSlugs: [], replayId }),
    findReplayProject(ctx, replayId),
  ]);
  const [errors, segments] = await Promise.all([
    listReplayErrors(ctx, replay),
    // Its event may be stored while its recordings are not.
    listReplaySegments(ctx, { projectSlug: project.slug, replayId }).catch(() => []),
  ]);
  return { replay, project, errors, isVideo: segments.some(({ kind }) => kind === 'video') };
}

type Errors = Awaited<ReturnType<typeof listReplayErrors>>[number];

function errorEntry(
  event: Errors['event'],
  issue: Errors['issue'],
  { startedAt }: ReplaySummary,
  organizationSlug: string,
): Entry {
  return {
    kind: 'error',
    at: Math.max(0, event.occurredAt - startedAt),
    title: issue?.shortId ?? 'Error',
    text: visibleText(event.title),
    level: 'error',
    href: issue ? `/${organizationSlug}/issues/${issue.shortId}/events/${event.eventId}` : undefined,
  };
}

function Facts({ replay, projectSlug, now }: { replay: ReplaySummary; projectSlug: string; now: number }) {
  const facts = [
    projectSlug,
    versioned(replay.browserName, replay.browserVersion),
    versioned(replay.osName, replay.osVersion),
    visibleText(replay.urls[0] ?? ''),
  ].filter(Boolean);
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      <RelativeTime at={replay.startedAt} now={now} />
      {facts.map((fact) => (
        <bdi key={fact} className="[overflow-wrap:anywhere]">
          {fact}
        </bdi>
      ))}
    </span>
  );
}

/** What is known of the replay as a whole, by name. */
function tagsOf(replay: ReplaySummary): readonly (readonly [string, string])[] {
  const known: readonly (readonly [string, string | null])[] = [
    ['browser', versioned(replay.browserName, replay.browserVersion)],
    ['environment', replay.environment],
    ['os', versioned(replay.osName, replay.osVersion)],
    ['platform', replay.platform],
    ...replay.releases.map((release) => ['release', release] as const),
    ['replay type', replay.replayType],
    ...replay.urls.map((url, index) => [`page ${index + 1}`, url] as const),
    ['user.email', replay.userEmail],
    ['user.id', replay.userId],
    ['user.ip', replay.userIp],
    ['user.username', replay.userUsername],
  ];
  return known.flatMap(([name, value]) => (value ? [[name, visibleText(value)] as const] : []));
}
