import { isDeepStrictEqual } from 'node:util';
import type {
  Archive,
  ArchiveCondition,
  PriorityState,
  Resolution,
  ResolutionChoice,
} from '#storage/ports/issue-states.ts';
import type {
  ActivityType,
  Issue,
  IssueChange,
  IssueStatus,
  IssueSubstatus,
  LifeState,
} from '#storage/ports/issues.ts';
import { automaticPriority } from './automatic-priority.ts';

export type Assignee = { assigneeUserId: string | null; assigneeTeamId: number | null };
export type IssueState = LifeState & PriorityState & Assignee;

/** What a change makes of an issue, with one activity per thing that really changes. */
export type AppliedChange = {
  issue: Issue;
  after: IssueState;
  activities: readonly { type: ActivityType; data: object }[];
};

export type ChangeOrigin = {
  /** null when the system did it. */
  userId: string | null;
  atMs: number;
  /** The newest release of the issue's project; null when it has none, or when no resolution needs it. */
  newestRelease: string | null;
};

const SUBSTATUSES_OF: Record<IssueStatus, readonly IssueSubstatus[]> = {
  unresolved: ['ongoing', 'new', 'escalating', 'regressed'],
  resolved: [],
  archived: ['archived_until_escalating', 'archived_until_condition_met', 'archived_forever'],
};

/**
 * Applies what is given; null when that changes nothing. A substatus that is not given, or does not belong to the
 * status, becomes the usual one.
 */
export function applyIssueChange(
  issue: Issue,
  change: IssueChange,
  origin: ChangeOrigin,
): AppliedChange | null {
  const life = changeLife(issue, change, origin);
  const chosen =
    change.priority === undefined
      ? issue
      : { priority: change.priority, priorityLockedAt: issue.priorityLockedAt ?? origin.atMs };
  return describeChange(issue, {
    ...life,
    ...followLife(issue, life, chosen),
    ...chooseAssignee(issue, change),
  });
}

/** Puts a part of an issue back; null when it is as it was. */
export function restoreIssue(issue: Issue, part: Partial<IssueState>): AppliedChange | null {
  const after = { ...stateOf(issue), ...part };
  return describeChange(issue, { ...after, ...followLife(issue, after, after) });
}

function describeChange(issue: Issue, after: IssueState): AppliedChange | null {
  const before = stateOf(issue);
  const activities: { type: ActivityType; data: object }[] = [];
  if (!isDeepStrictEqual(lifeOf(before), lifeOf(after))) activities.push(describeLife(issue, after));
  const isChosen = after.priorityLockedAt !== null && after.priorityLockedAt !== before.priorityLockedAt;
  if (isChosen || (after.priority !== before.priority && after.priorityLockedAt !== null)) {
    activities.push({ type: 'set_priority', data: { priority: after.priority, before: before.priority } });
  }
  if (after.assigneeUserId !== before.assigneeUserId || after.assigneeTeamId !== before.assigneeTeamId) {
    const { assigneeUserId, assigneeTeamId } = after;
    const data = {
      before: { assigneeUserId: before.assigneeUserId, assigneeTeamId: before.assigneeTeamId },
    };
    const isAssigned = assigneeUserId !== null || assigneeTeamId !== null;
    activities.push(
      isAssigned
        ? { type: 'assigned', data: { assigneeUserId, assigneeTeamId, ...data } }
        : { type: 'unassigned', data },
    );
  }
  return isDeepStrictEqual(before, after) ? null : { issue, after, activities };
}

function describeLife(issue: Issue, after: IssueState): { type: ActivityType; data: object } {
  const { status, substatus, resolution, archive } = after;
  const before = { status: issue.status, substatus: issue.substatus };
  if (resolution) return describeResolution(resolution, before);
  if (archive) return { type: 'set_archived', data: { substatus, condition: archive.condition, before } };
  const isAgeing = status === issue.status && substatus === 'ongoing';
  return { type: isAgeing ? 'auto_set_ongoing' : 'set_unresolved', data: { substatus, before } };
}

function describeResolution(resolution: Resolution, before: object): { type: ActivityType; data: object } {
  switch (resolution.kind) {
    case 'now':
      return { type: 'set_resolved', data: { before } };
    case 'next_release':
      return {
        type: 'set_resolved_in_release',
        data: { inNextRelease: true, after: resolution.after, before },
      };
    case 'release':
      return { type: 'set_resolved_in_release', data: { version: resolution.release, before } };
    case 'commit': {
      const { repository, commit } = resolution;
      return { type: 'set_resolved_in_commit', data: { repository, commit, before } };
    }
  }
}

function changeLife(issue: Issue, change: IssueChange, origin: ChangeOrigin): LifeState {
  const status = change.status ?? issue.status;
  if (status === 'resolved') return resolve(issue, change, origin);
  if (status === 'archived') return archive(issue, change, origin);
  const substatus = chooseSubstatus(issue, change, status);
  const isSame = issue.status === status && issue.substatus === substatus;
  return isSame ? lifeOf(issue) : { ...UNRESOLVED, substatus, substatusAt: origin.atMs };
}

const UNRESOLVED = { status: 'unresolved', resolvedAt: null, resolution: null, archive: null } as const;

function resolve(issue: Issue, change: IssueChange, origin: ChangeOrigin): LifeState {
  const choice = change.resolution ?? (issue.resolution === null ? { kind: 'now' } : null);
  const resolution = choice === null ? issue.resolution : decideResolution(choice, origin.newestRelease);
  if (isDeepStrictEqual(resolution, issue.resolution)) return lifeOf(issue);
  const { atMs } = origin;
  return {
    status: 'resolved',
    substatus: null,
    substatusAt: atMs,
    resolvedAt: atMs,
    resolution,
    archive: null,
  };
}

/** Callers make sure that there is a newest release when the choice needs one. */
function decideResolution(choice: ResolutionChoice, newestRelease: string | null): Resolution {
  if (choice.kind === 'next_release') return { kind: 'next_release', after: newestRelease! };
  if (choice.kind === 'release') return { kind: 'release', release: choice.release ?? newestRelease! };
  return choice;
}

function archive(issue: Issue, change: IssueChange, origin: ChangeOrigin): LifeState {
  const substatus = chooseSubstatus(issue, change, 'archived');
  const isKept = change.archive === undefined && issue.archive !== null && substatus === issue.substatus;
  const condition: ArchiveCondition = change.archive ?? {
    kind: substatus === 'archived_forever' ? 'forever' : 'escalating',
  };
  if (isKept || isDeepStrictEqual(condition, issue.archive?.condition)) return lifeOf(issue);
  const { userId, atMs } = origin;
  const after: Archive = { condition, archivedAt: atMs, timesSeen: issue.timesSeen, userId };
  return {
    status: 'archived',
    substatus: SUBSTATUS_OF_CONDITION[condition.kind],
    substatusAt: atMs,
    resolvedAt: null,
    resolution: null,
    archive: after,
  };
}

const SUBSTATUS_OF_CONDITION: Readonly<Record<ArchiveCondition['kind'], IssueSubstatus>> = {
  escalating: 'archived_until_escalating',
  forever: 'archived_forever',
  date: 'archived_until_condition_met',
  events: 'archived_until_condition_met',
  users: 'archived_until_condition_met',
};

function chooseSubstatus(issue: Issue, change: IssueChange, status: IssueStatus): IssueSubstatus | null {
  const possible = SUBSTATUSES_OF[status];
  if (change.substatus && possible.includes(change.substatus)) return change.substatus;
  if (status === issue.status) return issue.substatus;
  return possible[0] ?? null;
}

/** Whoever is named takes the place of whoever was. */
function chooseAssignee(issue: Issue, { assigneeUserId, assigneeTeamId }: IssueChange): Assignee {
  if (assigneeUserId === undefined && assigneeTeamId === undefined) return assigneeOf(issue);
  return { assigneeUserId: assigneeUserId ?? null, assigneeTeamId: assigneeTeamId ?? null };
}

/** A priority that nobody chose goes with what the issue is now. */
function followLife(issue: Issue, life: LifeState, chosen: PriorityState): PriorityState {
  const { priority, priorityLockedAt } = chosen;
  if (priorityLockedAt !== null) return { priority, priorityLockedAt };
  return { priority: automaticPriority(issue.level, life.substatus), priorityLockedAt };
}

const lifeOf = ({
  status,
  substatus,
  substatusAt,
  resolvedAt,
  resolution,
  archive,
}: LifeState): LifeState => ({
  status,
  substatus,
  substatusAt,
  resolvedAt,
  resolution,
  archive,
});

const assigneeOf = (issue: Issue): Assignee => ({
  assigneeUserId: issue.assignee?.userId ?? null,
  assigneeTeamId: issue.assigneeTeam?.teamId ?? null,
});

const stateOf = (issue: Issue): IssueState => ({
  ...lifeOf(issue),
  priority: issue.priority,
  priorityLockedAt: issue.priorityLockedAt,
  ...assigneeOf(issue),
});
