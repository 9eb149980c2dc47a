import { ActionButton } from '#app/[org]/action-button.tsx';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import type { ReprocessRun, ReprocessScope } from '#storage/ports/reprocess.ts';
import { cx } from '#ui/cx.ts';
import { formatExact } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { applyUploadsAction, cancelApplyAction } from './apply-actions.ts';
import { KeepFresh } from './keep-fresh.tsx';
import { progressPercent, resultWords } from './run-words.ts';

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
        cancel={canApply ? cancelApplyAction.bind(null, { organizationSlug, runId: running.id }) : null}
      />
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      {canApply ? (
        <ActionButton
          label="Apply to stored events"
          pendingLabel="Starting…"
          action={applyUploadsAction.bind(null, { organizationSlug, projectSlug, scope })}
        />
      ) : null}
      <p role="status" className="min-w-0 flex-1 basis-60 text-text-muted">
        {newest ? (
          <>
            {resultWords(newest)} (
            <RelativeTime at={newest.finishedAt ?? newest.createdAt} now={ctx.now()} />)
          </>
        ) : canApply ? (
          'Events that came before the upload keep their bundled code until it is applied to them.'
        ) : (
          'Events that came before the upload keep their bundled code until a member applies it to them.'
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
          ? 'Waiting for its turn.'
          : run.state === 'moving'
            ? 'The events show their source; the issues are being regrouped.'
            : `${formatExact(run.eventsSeen)} of ${formatExact(run.eventsTotal)} events looked at, ${formatExact(run.eventsChanged)} taken to their source.`}
      </p>
      {run.lastError ? (
        <div className="mt-2">
          <Notice tone="warning" title="The last step failed and is tried again">
            {run.lastError}
          </Notice>
        </div>
      ) : null}
    </div>
  );
}
