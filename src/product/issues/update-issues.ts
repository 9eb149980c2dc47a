import {
  type ArchiveCondition,
  type FormerStatus,
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  type Issue,
  type IssueChange,
  type IssueRestoration,
  isSubstatusOf,
  type ResolutionChoice,
} from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { selectIssues } from './get-issue.ts';

export type IssueUpdate = {
  issueIds: readonly number[];
  change: IssueChange;
  /** Leaves issues of other projects alone; absent for all that are visible. */
  projectSlugs?: readonly string[];
};

/**
 * Resolves, archives, reopens, assigns issues or sets their priority. Answers those that were found, as they were
 * before, for undo. A new status without a substatus takes its usual one: `ongoing`, `archived_until_escalating`.
 * Throws Invalid, among others for a release that the project of an issue has not seen.
 */
export async function updateIssues(ctx: Context, input: IssueUpdate): Promise<{ before: readonly Issue[] }> {
  requireRight(ctx, 'event:write');
  const { change } = input;
  checkChange(change, ctx.now());
  const selected = await selectIssues(ctx, input.issueIds, input.projectSlugs);
  await checkAssignee(ctx, change);
  if (selected.length === 0) return { before: [] };
  const before = await ctx.stores.issues.update(
    ctx.organization.id,
    selected.map((issue) => issue.id),
    change,
    userIdOf(ctx),
    ctx.now(),
  );
  if (change.resolution?.kind === 'commit') await resolveInKnownReleases(ctx, change.resolution);
  if (change.assigneeUserId) {
    const issueIds = before.map((issue) => issue.id);
    await ctx.stores.issueUserState.subscribe(
      ctx.organization.id,
      issueIds,
      [change.assigneeUserId],
      'assigned',
    );
  }
  return { before };
}

function checkChange(change: IssueChange, nowMs: number): void {
  const { status, substatus, resolution, archive, priority, assigneeUserId, assigneeTeamId } = change;
  if ([status, priority, assigneeUserId, assigneeTeamId].every((part) => part === undefined)) {
    throw invalid(
      substatus === undefined
        ? 'Nothing to update: send a status, a priority, or an assignee'
        : 'A substatus requires a status',
      'status',
    );
  }
  if (priority !== undefined && !ISSUE_PRIORITIES.includes(priority)) {
    throw invalid(
      `"${priority}" is not a valid priority: choose one of ${ISSUE_PRIORITIES.join(', ')}`,
      'priority',
    );
  }
  if (resolution && status !== 'resolved') {
    throw invalid('Resolution details require the status "resolved"', 'statusDetails');
  }
  if (archive && status !== 'archived') {
    throw invalid('Archive conditions require the status "ignored"', 'statusDetails');
  }
  if (resolution) checkResolution(resolution);
  if (archive) checkArchiveCondition(archive, nowMs);
  if (status === undefined) return;
  if (!ISSUE_STATUSES.includes(status)) throw invalid(`"${status}" is not a valid status`, 'status');
  if (substatus && !isSubstatusOf(status, substatus)) {
    throw invalid(`The substatus "${substatus}" does not belong to the status "${status}"`, 'substatus');
  }
  if (substatus === 'archived_until_condition_met' && !archive) {
    throw invalid('Specify the condition in statusDetails', 'statusDetails');
  }
}

/** Throws Invalid for somebody who is no member, and for a team of another organization. */
export async function checkAssignee(
  ctx: Context,
  { assigneeUserId, assigneeTeamId }: Pick<IssueChange, 'assigneeUserId' | 'assigneeTeamId'>,
): Promise<void> {
  if (assigneeUserId && (await ctx.stores.accounts.findRole(ctx.organization.id, assigneeUserId)) === null) {
    throw invalid(`The assignee is not a member of ${ctx.organization.slug}: choose a member`, 'assignedTo');
  }
  if (assigneeTeamId === undefined || assigneeTeamId === null) return;
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  if (!teams.some(({ id }) => id === assigneeTeamId)) {
    throw invalid(`Team not found in ${ctx.organization.slug}: choose an existing team`, 'assignedTo');
  }
}

/**
 * Undoes: puts one part of each issue back to what it was, and leaves alone what was changed besides. Issues that are
 * not visible are left out. Throws Invalid for a state that no issue can be in, and for an assignee who is none here.
 */
export async function restoreIssues(ctx: Context, restoration: IssueRestoration): Promise<void> {
  requireRight(ctx, 'event:write');
  if (restoration.part === 'status') restoration.entries.forEach(checkStatus);
  if (restoration.part === 'assignee') await checkAssignees(ctx, restoration.entries);
  const issues = await selectIssues(
    ctx,
    restoration.entries.map(({ issueId }) => issueId),
  );
  const visible = new Set(issues.map(({ id }) => id));
  if (visible.size === 0) return;
  await ctx.stores.issues.restore(
    ctx.organization.id,
    keepVisible(restoration, visible),
    userIdOf(ctx),
    ctx.now(),
  );
}

type FormerAssignee = Extract<IssueRestoration, { part: 'assignee' }>['entries'][number];

async function checkAssignees(ctx: Context, entries: readonly FormerAssignee[]): Promise<void> {
  const distinct = new Map(
    entries.map((entry) => [`${entry.assigneeUserId} ${entry.assigneeTeamId}`, entry]),
  );
  for (const entry of distinct.values()) {
    if (entry.assigneeUserId !== null && entry.assigneeTeamId !== null) {
      throw invalid('An issue can be assigned to a person or a team, not both', 'assignedTo');
    }
    await checkAssignee(ctx, entry);
  }
}

function keepVisible(restoration: IssueRestoration, visible: ReadonlySet<number>): IssueRestoration {
  const isVisible = ({ issueId }: { issueId: number }) => visible.has(issueId);
  switch (restoration.part) {
    case 'status':
      return { part: 'status', entries: restoration.entries.filter(isVisible) };
    case 'priority':
      return { part: 'priority', entries: restoration.entries.filter(isVisible) };
    case 'assignee':
      return { part: 'assignee', entries: restoration.entries.filter(isVisible) };
  }
}

/** As long as the counts of a condition look back. */
export const WINDOW_MINUTES_MAX = 7 * 24 * 60;
export const CONDITION_COUNT_MAX = 1_000_000_000;
export const ARCHIVE_DAYS_MAX = 3_650;
const RELEASE_CHARACTERS_MAX = 250;
const REPOSITORY_CHARACTERS_MAX = 200;

/** Throws Invalid, naming what to write instead. */
export function checkResolution(resolution: ResolutionChoice): void {
  if (resolution.kind === 'release' && resolution.release !== null) {
    checkText(resolution.release, RELEASE_CHARACTERS_MAX, 'The release');
  }
  if (resolution.kind === 'commit') {
    checkText(resolution.repository, REPOSITORY_CHARACTERS_MAX, 'The repository');
    if (!/^[0-9a-fA-F]{7,64}$/.test(resolution.commit)) {
      throw invalid('A commit hash must have 7 to 64 hexadecimal digits', 'statusDetails.inCommit.commit');
    }
  }
}

function checkText(text: string, charactersMax: number, what: string): void {
  if (text.trim() !== '' && text.length <= charactersMax) return;
  throw invalid(`${what} must have a name of 1 to ${charactersMax} characters`, 'statusDetails');
}

/** Throws Invalid, naming what to write instead. */
export function checkArchiveCondition(condition: ArchiveCondition, nowMs: number): void {
  if (condition.kind === 'date') {
    if (!(condition.untilMs > nowMs && condition.untilMs <= nowMs + ARCHIVE_DAYS_MAX * DAY_MS)) {
      throw invalid(
        `An issue can be archived only until a time within the next ${ARCHIVE_DAYS_MAX} days`,
        'statusDetails',
      );
    }
  } else if (condition.kind === 'events' || condition.kind === 'users') {
    checkWhole(condition.count, CONDITION_COUNT_MAX, `The number of ${condition.kind}`);
    if (condition.windowMinutes !== null) {
      checkWhole(condition.windowMinutes, WINDOW_MINUTES_MAX, 'The window in minutes');
    }
  }
}

function checkWhole(value: number, max: number, what: string): void {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return;
  throw invalid(`${what} is a whole number from 1 to ${max}`, 'statusDetails');
}

/** A state to go back to. Throws Invalid for what no issue can be. */
export function checkStatus({ status, substatus, resolution, resolvedAt, archive }: FormerStatus): void {
  const isResolved = status === 'resolved';
  const fits =
    (resolution !== null) === isResolved &&
    (resolvedAt !== null) === isResolved &&
    (archive !== null) === (status === 'archived') &&
    (substatus === null ? isResolved : isSubstatusOf(status, substatus));
  if (!fits) throw invalid('This combination of status fields is not valid', 'status');
}

/** Releases that hold one commit: the oldest of each project is the one that counts. */
const RELEASES_MAX = 20;

/** Issues that wait for a commit which a release of theirs holds already need not wait for the next one. */
export async function resolveInKnownReleases(
  ctx: Context,
  { repository, commit }: { repository: string; commit: string },
): Promise<void> {
  const { commits } = ctx.stores;
  const organizationId = ctx.organization.id;
  const named = { repositoryName: repository, key: commit };
  for (const releaseId of await commits.listReleasesWith(organizationId, named, RELEASES_MAX)) {
    await commits.resolveIssues(organizationId, releaseId, [], ctx.now());
  }
}
