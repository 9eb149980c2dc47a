import { Archive, Check, RotateCcw, Sparkles, TrendingUp } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Context } from '#product/context.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { LevelBadge } from '#ui/level-badge.tsx';
import { Link } from '#ui/link.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { withQuery } from '../../../url-state.ts';
import { issueTitle } from '../issue-view.ts';
import { IssueActions } from './issue-actions.tsx';
import { IssueLive } from './issue-live.tsx';

/** Title, place, state and what can be done. */
export function IssueHeader({
  ctx,
  issue,
  now,
  canTriage,
}: {
  ctx: Context;
  issue: Issue;
  now: number;
  canTriage: boolean;
}) {
  const { heading, message } = issueTitle(issue);
  const state = STATES[issue.substatus ?? issue.status];
  const organizationSlug = ctx.organization.slug;
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-[28rem]">
        <h1 className="break-anything line-clamp-3 font-semibold text-lg leading-snug sm:text-xl">
          <bdi>{heading}</bdi>
          {message ? (
            <>
              <span className="text-text-faint">: </span>
              <bdi className="font-normal text-text-muted">{message}</bdi>
            </>
          ) : null}
        </h1>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm text-text-muted">
          {state ? (
            <Badge tone={state.tone} icon={state.icon}>
              {state.label}
            </Badge>
          ) : null}
          <LevelBadge level={issue.level} />
          {issue.culprit ? (
            <bdi className="mono min-w-0 max-w-full truncate text-text text-xs" title={issue.culprit}>
              {issue.culprit}
            </bdi>
          ) : null}
          <span className="inline-flex items-center">
            <span className="mono text-xs">{issue.shortId}</span>
            <CopyButton
              text={`${ctx.publicUrl}/i/${issue.shortId}`}
              label="Copy the short address of the issue"
            />
          </span>
          <Link
            href={withQuery(`/${organizationSlug}/issues`, { project: issue.projectSlug })}
            className="text-text-muted underline decoration-border-strong underline-offset-2 hover:text-text"
          >
            {issue.projectSlug}
          </Link>
          <span>
            first <RelativeTime at={issue.firstSeen} now={now} />
            {issue.firstRelease ? (
              <>
                {' in '}
                <bdi className="break-anything">{issue.firstRelease}</bdi>
              </>
            ) : null}
          </span>
          <span>
            last <RelativeTime at={issue.lastSeen} now={now} />
            {issue.lastRelease ? (
              <>
                {' in '}
                <bdi className="break-anything">{issue.lastRelease}</bdi>
              </>
            ) : null}
          </span>
          <IssueLive
            organizationSlug={organizationSlug}
            shortId={issue.shortId}
            projectId={issue.projectId}
            shown={{
              timesSeen: issue.timesSeen,
              status: issue.status,
              substatus: issue.substatus,
              assigneeUserId: issue.assignee?.userId ?? null,
            }}
          />
        </div>
      </div>
      {canTriage && ctx.actor.kind !== 'system' ? (
        <IssueActions
          organizationSlug={organizationSlug}
          issue={{
            id: issue.id,
            shortId: issue.shortId,
            status: issue.status,
            substatus: issue.substatus,
            assignee: issue.assignee && { userId: issue.assignee.userId, name: issue.assignee.name },
          }}
          user={{ userId: ctx.actor.userId, name: ctx.actor.name }}
        />
      ) : null}
    </header>
  );
}

const STATES: Readonly<Record<string, { label: string; icon: ReactNode; tone: Tone } | undefined>> = {
  new: { label: 'New', icon: <Sparkles aria-hidden />, tone: 'info' },
  ongoing: { label: 'Unresolved', icon: null, tone: 'neutral' },
  regressed: { label: 'Regressed', icon: <RotateCcw aria-hidden />, tone: 'warning' },
  escalating: { label: 'Escalating', icon: <TrendingUp aria-hidden />, tone: 'danger' },
  resolved: { label: 'Resolved', icon: <Check aria-hidden />, tone: 'success' },
  archived_until_escalating: { label: 'Archived', icon: <Archive aria-hidden />, tone: 'neutral' },
  archived_forever: { label: 'Archived', icon: <Archive aria-hidden />, tone: 'neutral' },
};
