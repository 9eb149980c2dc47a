import { hash } from 'node:crypto';
import { SUBSTATUS_OF_CONDITION } from '#domain/issues/archive-conditions.ts';
import type { Archive, Resolution, StatusState } from '#domain/issues/issue.ts';
import { isSubstatusOf } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { IssueRecord, TransferActivity } from '../issue-records.ts';
import type { AppliedIssue, PendingIssue } from '../store/issue-import-store.ts';
import { count, note } from './import-report.ts';
import { type ImportState, msOf, ownerOf, userOf } from './import-state.ts';

/** Issues that are worked on at once. */
const PAGE = 200;
/** Of a list of addresses in an issue. */
type Kept = ImportState & { transferId: number };

/**
 * Makes of the issues that events have landed in what the source says of them. What was applied before and has not changed
 * there is left alone, so that what people did here meanwhile stays.
 */
export async function reconcileIssues(ctx: Context, state: Kept, signal: AbortSignal): Promise<void> {
  const { issueImports } = ctx.stores;
  await issueImports.followMerges(state.transferId);
  for await (const pending of pages(ctx, state, signal)) await chooseIssue(ctx, state, pending);
  await issueImports.followMerges(state.transferId);
  await issueImports.raiseCounts(ctx.organization.id, state.transferId);
  for await (const pending of pages(ctx, state, signal)) await applyRecord(ctx, state, pending);
  await issueImports.renameIssues(ctx.organization.id, state.transferId);
}

async function* pages(ctx: Context, { transferId }: Kept, signal: AbortSignal): AsyncGenerator<PendingIssue> {
  let after: { rank: number; sourceId: string } | null = null;
  for (;;) {
    signal.throwIfAborted();
    const page: readonly (PendingIssue & { rank: number })[] = await ctx.stores.issueImports.list(
      transferId,
      after,
      PAGE,
    );
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    after = { rank: last.rank, sourceId: last.sourceId };
  }
}

/**
 * Where the events of one issue landed in several, those become one, unless they hold events of others as well. Only those count that
 * came since the issue was decided: what people split since then stays apart.
 */
async function chooseIssue(ctx: Context, state: Kept, pending: PendingIssue): Promise<void> {
  const { issueImports, regroups } = ctx.stores;
  const { record, issueIds, sourceId } = pending;
  const [first] = issueIds;
  if (first === undefined) {
    if (pending.issueId !== null) return count(state.report, 'issue', 'unchanged');
    if (!(await issueImports.create(ctx.organization.id, state.transferId, pending))) {
      return failed(state, record, 'Its project was deleted');
    }
    return count(state.report, 'issue', 'created');
  }
  const targetId = pending.issueId !== null && pending.isHere ? pending.issueId : first;
  const others = issueIds.filter((id) => id !== targetId);
  if (others.length > 0) {
    if (await issueImports.isShared(state.transferId, pending)) {
      const reason = 'Its events are grouped with those of other issues here, and were not merged';
      note(state.report, { kind: 'issue', id: sourceId, name: record.title, result: 'matched', reason });
    } else {
      await regroups.merge(ctx.organization.id, { targetId, issueIds: others }, null, ctx.now());
    }
  }
  count(state.report, 'issue', pending.issueId === null ? 'created' : 'unchanged');
  await issueImports.setIssue(state.transferId, sourceId, targetId);
}

function failed(state: Kept, { id, title }: IssueRecord, reason: string): void {
  count(state.report, 'issue', 'failed');
  note(state.report, { kind: 'issue', id, name: title, result: 'failed', reason });
}

async function applyRecord(ctx: Context, state: Kept, pending: PendingIssue): Promise<void> {
  const { record, applied, issueId, sourceId, projectId } = pending;
  if (issueId === null) return;
  const assignee = assigneeOf(state, record);
  const activities = record.activities.map((activity) => readActivity(state, activity));
  const subscriberIds = record.subscribers.flatMap((email) => userOf(state, email) ?? []);
  const bookmarkerIds = record.bookmarkedBy.flatMap((email) => userOf(state, email) ?? []);
  const { status, substatus, statusAt, resolution, archive, priority, links } = record;
  const parts = {
    // How an open issue is described changes by itself, which must not undo what people do here.
    state: digest(
      status === 'unresolved' ? { status } : { status, substatus, statusAt, resolution, archive },
    ),
    assignee: digest(assignee),
    priority: digest(priority),
    history: digest({ activities, subscriberIds, bookmarkerIds, links }),
  };
  const isNew = (part: keyof typeof parts): boolean => applied[part] !== parts[part];
  if (!Object.keys(parts).some((part) => isNew(part as keyof typeof parts))) return;
  const isHistoryNew = isNew('history');
  const change: AppliedIssue = {
    state: isNew('state') ? stateOf(record) : null,
    assignee: isNew('assignee') ? assignee : null,
    priority: isNew('priority') ? priority : null,
    activities: isHistoryNew ? activities : [],
    subscriberIds: isHistoryNew ? subscriberIds : [],
    bookmarkerIds: isHistoryNew ? bookmarkerIds : [],
    links: isHistoryNew ? links : [],
    applied: parts,
  };
  await ctx.stores.issueImports.apply(
    ctx.organization.id,
    state.transferId,
    { sourceId, issueId, projectId },
    change,
  );
}

const digest = (value: unknown): string => hash('md5', JSON.stringify(value));

function assigneeOf(state: Kept, { id, title, assignee }: IssueRecord): AppliedIssue['assignee'] {
  const owner = ownerOf(state, assignee);
  if (assignee !== null && owner === null) {
    const who = assignee.kind === 'user' ? assignee.email : `the team ${assignee.team}`;
    const reason = `It is assigned to ${who}, not a member here: import again once they have joined`;
    note(state.report, { kind: 'issue', id, name: title, result: 'unmapped', reason });
  }
  return {
    assigneeUserId: owner?.kind === 'user' ? owner.userId : null,
    assigneeTeamId: owner?.kind === 'team' ? owner.teamId : null,
  };
}

export function stateOf(record: IssueRecord): StatusState {
  const { status, statusAt, lastSeen, timesSeen } = record;
  const atMs = msOf(statusAt) ?? Date.parse(lastSeen);
  const substatusAt = msOf(statusAt);
  const open = { substatusAt, resolvedAt: null, resolution: null, archive: null };
  if (status === 'resolved') {
    const resolution: Resolution = record.resolution ?? { kind: 'now' };
    return { ...open, status, substatus: null, resolvedAt: atMs, resolution };
  }
  const given = record.substatus && isSubstatusOf(status, record.substatus) ? record.substatus : null;
  if (status === 'unresolved') return { ...open, status, substatus: given ?? 'ongoing' };
  const condition = conditionOf(record, given);
  const archive: Archive = { condition, archivedAt: atMs, timesSeen, userId: null };
  return { ...open, status, substatus: SUBSTATUS_OF_CONDITION[condition.kind], archive };
}

function conditionOf(record: IssueRecord, substatus: string | null): Archive['condition'] {
  const { archive } = record;
  if (archive?.kind === 'date') return { kind: 'date', untilMs: Date.parse(archive.until) };
  if (archive) return archive;
  return { kind: substatus === 'archived_forever' ? 'forever' : 'escalating' };
}

/** Of who is not a member here, only what they wrote is kept, with their name in front. */
function readActivity(state: Kept, activity: TransferActivity): AppliedIssue['activities'][number] {
  const { id: sourceId, type, person, at } = activity;
  const userId = userOf(state, person?.email);
  const { text, email, team, ...rest } = activity.data;
  const data: Record<string, unknown> = { ...rest };
  if (type === 'note') {
    const author = person?.name ?? person?.email;
    const written = typeof text === 'string' ? text : '';
    data.text = userId === null && author ? `${author}:\n\n${written}` : written;
    data.mentions = [];
  }
  if (type === 'assigned') {
    data.assigneeUserId = typeof email === 'string' ? userOf(state, email) : null;
    data.assigneeTeamId = typeof team === 'string' ? (state.teams.get(team) ?? null) : null;
  }
  return { sourceId, type, userId, data, atMs: Date.parse(at) };
}
