import { ArrowRight, Inbox, KeyRound, Plug } from 'lucide-react';
import type { Metadata } from 'next';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { findFirstEvent } from '#app/[org]/projects/find-first-event.ts';
import { FirstEventCue } from '#app/[org]/projects/first-event-cue.tsx';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { PlatformMark } from '#app/[org]/projects/platform-mark.tsx';
import { platformName } from '#app/[org]/projects/platforms.ts';
import { getRequestContext } from '#app/request-context.ts';
import type { Context } from '#product/context.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { getServices } from '#product/services.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { alignRange } from '#product/time-buckets.ts';
import { BarChart } from '#ui/bar-chart.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatCount, formatExact, formatPlural } from '#ui/format-number.ts';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/link.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ISSUES_SHOWN = 5;

type Props = { params: Promise<{ org: string; project: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).project };
}

export default async function ProjectPage({ params }: Props) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  const { project, dsn } = await loadProject(ctx, slug);
  const [firstEvent, issues, today] = await Promise.all([
    findFirstEvent(ctx, slug),
    listIssues(ctx, {
      query: 'is:unresolved',
      projectSlugs: [slug],
      sort: 'date',
      range: null,
      cursor: null,
      limit: ISSUES_SHOWN,
    }),
    loadToday(ctx, slug),
  ]);
  const now = getServices().now();
  return (
    <PageBody>
      <PageHeader
        title={
          <span className="flex items-center gap-3">
            <PlatformMark platform={project.platform} />
            <bdi className="break-anything">{project.name}</bdi>
          </span>
        }
        description={`${project.slug} · ${platformName(project.platform)}`}
        actions={
          <>
            <ButtonLink href={`/${org}/settings/projects/${slug}/keys`}>
              <KeyRound aria-hidden className="size-4" />
              Client keys
            </ButtonLink>
            <ButtonLink href={`/${org}/projects/${slug}/getting-started`}>
              <Plug aria-hidden className="size-4" />
              Connect
            </ButtonLink>
            <ButtonLink variant="primary" href={`/${org}/issues?project=${slug}`}>
              Issues
            </ButtonLink>
          </>
        }
      />
      {firstEvent.at === null && !project.isInternal ? (
        <div className="mb-5">
          <FirstEventCue orgSlug={org} project={{ id: project.id, slug }} initial={firstEvent} />
        </div>
      ) : null}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card
            id="events-today"
            title="Last 24 hours"
            actions={
              <Link
                href={`/${org}/stats?project=${slug}&range=24h`}
                className="text-accent text-sm underline underline-offset-2"
              >
                All outcomes
              </Link>
            }
          >
            <div className="mb-4 flex flex-wrap gap-x-8 gap-y-2">
              <Figure value={today.accepted} label="events accepted" />
              <Figure value={today.dropped} label="not accepted" />
            </div>
            <BarChart
              label="Events accepted"
              unit="events"
              height={110}
              fromMs={today.fromMs}
              bucketMs={HOUR_MS}
              series={[{ label: 'Accepted', values: today.buckets, color: 'var(--color-chart)' }]}
            />
          </Card>
          <Card
            flush
            id="latest-issues"
            title="Unresolved, last seen first"
            actions={
              <Link
                href={`/${org}/issues?project=${slug}`}
                className="flex items-center gap-1 text-accent text-sm underline underline-offset-2"
              >
                All issues
                <ArrowRight aria-hidden className="size-3.5" />
              </Link>
            }
          >
            {issues.issues.length === 0 ? (
              <EmptyState icon={<Inbox />} title="Nothing unresolved">
                {firstEvent.at === null
                  ? 'Issues appear here as soon as the program reports its first error.'
                  : 'Every issue of this project is resolved or archived.'}
              </EmptyState>
            ) : (
              <ul>
                {issues.issues.map((issue) => (
                  <li key={issue.id} className="border-b last:border-b-0">
                    <Link
                      href={`/${org}/issues/${issue.shortId}`}
                      className="flex items-center gap-3 px-4 py-2.5 text-text no-underline transition-colors hover:bg-surface-hover"
                    >
                      <LevelMark level={issue.level} />
                      <span className="min-w-0 flex-1">
                        <span className="block truncate font-medium text-sm">
                          <bdi>{issue.title}</bdi>
                        </span>
                        <span className="block truncate text-text-muted text-xs">
                          {issue.shortId}
                          {issue.culprit ? (
                            <>
                              {' · '}
                              <bdi>{issue.culprit}</bdi>
                            </>
                          ) : null}
                        </span>
                      </span>
                      <span
                        className="numbers shrink-0 text-sm"
                        title={`${formatPlural(issue.timesSeen, 'event')} so far`}
                      >
                        {formatCount(issue.timesSeen)}
                      </span>
                      <RelativeTime
                        at={issue.lastSeen}
                        now={now}
                        look="short"
                        className="numbers w-8 shrink-0 text-right text-text-muted text-xs"
                      />
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </div>
        <Card id="connect" title="Connect">
          {dsn ? (
            <>
              <p className="mb-1.5 font-medium text-sm">DSN</p>
              <DsnField dsn={dsn} />
              <p className="mt-3 text-sm text-text-muted">
                Give it to a Sentry SDK of your program.{' '}
                <Link
                  href={`/${org}/projects/${slug}/getting-started`}
                  className="text-accent underline underline-offset-2"
                >
                  Show the steps for {platformName(project.platform)}
                </Link>
                .
              </p>
            </>
          ) : (
            <p className="text-sm text-text-muted">
              No client key is active, so nothing can be sent.{' '}
              <Link
                href={`/${org}/settings/projects/${slug}/keys`}
                className="text-accent underline underline-offset-2"
              >
                Enable one or create a new one
              </Link>
              .
            </p>
          )}
        </Card>
      </div>
    </PageBody>
  );
}

function Figure({ value, label }: { value: number; label: string }) {
  return (
    <p>
      <span className="numbers block font-semibold text-2xl" title={formatExact(value)}>
        {formatCount(value)}
      </span>
      <span className="text-text-muted text-xs">{label}</span>
    </p>
  );
}

/** What the project sent in the last 24 hours, by the hour. */
async function loadToday(ctx: Context, projectSlug: string) {
  const nowMs = ctx.now();
  const range = alignRange({ fromMs: nowMs - DAY_MS + HOUR_MS, toMs: nowMs }, HOUR_MS);
  const series = await getOutcomeSeries(ctx, { projectSlugs: [projectSlug], range, bucketMs: HOUR_MS });
  const errors = series.filter((each) => each.category === 'error' || each.category === 'default');
  const accepted = errors.filter((each) => each.outcome === 'accepted');
  const hours = Math.round((range.toMs - range.fromMs) / HOUR_MS);
  const sum = (list: typeof errors) => list.reduce((total, each) => total + each.total, 0);
  return {
    fromMs: range.fromMs,
    accepted: sum(accepted),
    dropped: sum(errors) - sum(accepted),
    buckets: Array.from({ length: hours }, (_, hour) =>
      accepted.reduce((total, each) => total + (each.buckets[hour] ?? 0), 0),
    ),
  };
}
