import { ActionButton } from '#app/forms/confirm-action.tsx';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { ReprocessRun, ReprocessScope } from '#product/symbolication/reprocess-store.ts';
import { cx } from '#ui/cx.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { applyUploadsAction, cancelApplyAction } from './actions.ts';
import { KeepFresh } from './keep-fresh.tsx';

/** Takes stored events to their sources by what was uploaded since: the button, how far it has come, what it came to. */
export function ApplyUploads({
  ctx,
  runs,
  projectSlug,
  scope,
}: {
  ctx: Context;
  /** Newest first. */
  runs: readonly ReprocessRun[];
  projectSlug: string;
  scope: ReprocessScope;
}) {
  const organizationSlug = ctx.organization.slug;
  const canApply = hasRight(ctx.actor, 'event:write');
  const [newest] = runs;
  const running = newest && RUNNING.has(newest.state) ? newest : null;
  if (running) {
    return (
      <Progress
        run={running}
        cancel={canApply ? cancelApplyAction.bind(null, organizationSlug, running.id) : null}
      />
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      {canApply ? (
        <ActionButton
          label="Apply to stored events"
          pendingLabel="Starting…"
          action={applyUploadsAction.bind(null, organizationSlug, { projectSlug, scope })}
        />
      ) : null}
      <p role="status" className="min-w-0 flex-1 basis-60 text-text-muted">
        {newest ? (
          <>
            {resultLabel(newest)} (
            <RelativeTime at={newest.finishedAt ?? newest.createdAt} now={ctx.now()} />)
          </>
        ) : canApply ? (
          'Events that arrived before the upload stay as they are until you apply the upload to them.'
        ) : (
          'Events that arrived before the upload stay as they are until a member applies the upload to them.'
        )}
      </p>
    </div>
  );
}

const RUNNING: ReadonlySet<ReprocessRun['state']> = new Set(['waiting', 'scanning', 'moving']);

function Progress({ run, cancel }: { run: ReprocessRun; cancel: (() => Promise<string | null>) | null }) {
  const percent = run.state === 'scanning' ? progressPercent(run) : null;
  return (
    <div className="text-sm">
      <KeepFresh />
      <div className="flex items-center gap-3">
        <div
          role="progressbar"
          aria-label="Applying uploads to stored events"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent ?? undefined}
          className="h-2 min-w-0 flex-1 overflow-hidden rounded-sm bg-surface-pressed"
        >
          <div
            className={cx('h-full bg-accent-solid transition-[width]', percent === null && 'opacity-60')}
            style={{ width: `${percent ?? 100}%` }}
          />
        </div>
        {cancel && run.state !== 'moving' ? (
          <ActionButton label="Cancel" pendingLabel="Cancelling…" action={cancel} />
        ) : null}
      </div>
      <p role="status" className="mt-1.5 text-text-muted">
        {run.state === 'waiting'
          ? 'Waiting to start.'
          : run.state === 'moving'
            ? 'Events are symbolicated. Regrouping issues.'
            : `${formatExact(run.eventsSeen)} of ${formatExact(run.eventsTotal)} events processed, ${formatExact(run.eventsChanged)} symbolicated.`}
      </p>
      {run.lastError ? (
        <div className="mt-2">
          <Notice tone="warning" title="The last step failed and will be retried">
            {run.lastError}
          </Notice>
        </div>
      ) : null}
    </div>
  );
}

/** What applying uploads to stored events came to, in a sentence. */
export function resultLabel({
  state,
  eventsChanged,
  eventsTotal,
  issuesBefore,
  issuesAfter,
}: Pick<ReprocessRun, 'state' | 'eventsChanged' | 'eventsTotal' | 'issuesBefore' | 'issuesAfter'>): string {
  if (state === 'cancelled') return 'Canceled. No issues were changed.';
  if (eventsChanged === 0) {
    return eventsTotal === 0
      ? 'All stored events already show source.'
      : `None of ${formatPlural(eventsTotal, 'event')} could be symbolicated. Each frame says why.`;
  }
  const verb = eventsChanged === 1 ? 'shows' : 'show';
  const shown = `${formatPlural(eventsChanged, 'event')} of ${formatPlural(issuesBefore, 'issue')} now ${verb} source`;
  return issuesBefore === issuesAfter
    ? `${shown}.`
    : `${shown}; ${issuesBefore === 1 ? 'it' : `these ${formatExact(issuesBefore)}`} became ${formatPlural(issuesAfter, 'issue')}.`;
}

/** How far it has come; null while nobody knows how much there is. */
export function progressPercent({
  eventsSeen,
  eventsTotal,
}: Pick<ReprocessRun, 'eventsSeen' | 'eventsTotal'>): number | null {
  return eventsTotal === 0 ? null : Math.min(100, Math.floor((eventsSeen / eventsTotal) * 100));
}
