import { z } from 'zod';
import { each } from '#app/api/0/shape.ts';
import {
  type ArchiveCondition,
  ISSUE_PRIORITIES,
  ISSUE_SUBSTATUSES,
  type IssueChange,
  type ResolutionChoice,
} from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { findAssignee } from '#product/assignment/assignees.ts';
import type { Context } from '#product/context.ts';
import type { UserStateChange } from '#product/issue-user-state/user-state.ts';

/** What the body of a PUT asks for; empty parts where it asks for nothing of the kind. */
export type IssueUpdateBody = {
  /** null when neither state, priority nor assignee are to change. */
  change: IssueChange | null;
  userState: UserStateChange;
  isPublic: boolean | null;
  merge: boolean;
  discard: boolean;
};

/** The duration and the windows are minutes. */
const IGNORE_FIELDS = each(
  z.number().int().min(1).nullish(),
  'ignoreDuration',
  'ignoreCount',
  'ignoreWindow',
  'ignoreUserCount',
  'ignoreUserWindow',
);

const STATUS_DETAILS = z.strictObject({
  ...IGNORE_FIELDS,
  /** ISO 8601. */
  ignoreUntil: z.string().max(50).nullish(),
  ...each(z.boolean().nullish(), 'untilEscalating', 'inNextRelease', 'inUpcomingRelease'),
  /** A version; `latest` for the newest one. */
  inRelease: z.string().max(250).nullish(),
  inCommit: z.strictObject({ repository: z.string().max(200), commit: z.string().max(64) }).nullish(),
});

type StatusDetails = z.infer<typeof STATUS_DETAILS>;

export const ISSUE_UPDATE = z.strictObject({
  ...IGNORE_FIELDS,
  status: z.enum(['resolved', 'resolvedInNextRelease', 'unresolved', 'ignored', 'muted']).optional(),
  substatus: z.enum(ISSUE_SUBSTATUSES).nullish(),
  statusDetails: STATUS_DETAILS.optional(),
  priority: z.enum(ISSUE_PRIORITIES).optional(),
  /** `user:<id>`, `team:<id>`, an id, an e-mail address or a name; empty or null for nobody. */
  assignedTo: z.string().max(320).nullish(),
  ...each(z.boolean().optional(), 'isBookmarked', 'isSubscribed', 'hasSeen', 'isPublic'),
  merge: z.union([z.boolean(), z.literal(1)]).optional(),
  discard: z.boolean().optional(),
  /** Of clients that send what they do not use. */
  snoozeDuration: z.null().optional(),
});

type Body = z.infer<typeof ISSUE_UPDATE>;

/** Throws Invalid for what no issue can become. Source: https://docs.sentry.io/api/events/update-an-issue/ */
export async function readIssueUpdate(ctx: Context, body: Body): Promise<IssueUpdateBody> {
  const { isBookmarked, isSubscribed, hasSeen } = body;
  const change = await readChange(ctx, body);
  return {
    change,
    userState: {
      ...(isBookmarked === undefined ? {} : { isBookmarked }),
      ...(isSubscribed === undefined ? {} : { isSubscribed }),
      ...(hasSeen === undefined ? {} : { hasSeen }),
    },
    isPublic: body.isPublic ?? null,
    merge: Boolean(body.merge),
    discard: body.discard ?? false,
  };
}

async function readChange(ctx: Context, body: Body): Promise<IssueChange | null> {
  const change: IssueChange = {};
  const { status } = body;
  const details = { ...ignoreFieldsOf(body), ...body.statusDetails };
  const resolution = readResolution(body.status === 'resolvedInNextRelease', details);
  const archive = readArchive(details, ctx.now());
  if (status !== undefined) change.status = STATUS[status];
  if (body.substatus) change.substatus = body.substatus;
  if (resolution) change.resolution = resolution;
  if (archive) change.archive = archive;
  if (body.priority !== undefined) change.priority = body.priority;
  if (body.assignedTo !== undefined) Object.assign(change, await readAssignee(ctx, body.assignedTo));
  return Object.keys(change).length === 0 ? null : change;
}

const STATUS = {
  resolved: 'resolved',
  resolvedInNextRelease: 'resolved',
  unresolved: 'unresolved',
  ignored: 'archived',
  muted: 'archived',
} as const satisfies Record<NonNullable<Body['status']>, IssueChange['status']>;

const ignoreFieldsOf = ({
  ignoreDuration,
  ignoreCount,
  ignoreWindow,
  ignoreUserCount,
  ignoreUserWindow,
}: Body): StatusDetails => ({
  ignoreDuration,
  ignoreCount,
  ignoreWindow,
  ignoreUserCount,
  ignoreUserWindow,
});

function readResolution(isNext: boolean, details: StatusDetails): ResolutionChoice | null {
  const { inRelease, inCommit } = details;
  const found: ResolutionChoice[] = [];
  if (isNext || details.inNextRelease || details.inUpcomingRelease) found.push({ kind: 'next_release' });
  if (inRelease) found.push({ kind: 'release', release: inRelease === 'latest' ? null : inRelease });
  if (inCommit) found.push({ kind: 'commit', ...inCommit });
  return onlyOne(found, 'inNextRelease, inRelease, and inCommit');
}

function readArchive(details: StatusDetails, nowMs: number): ArchiveCondition | null {
  const { ignoreDuration, ignoreUntil, ignoreCount, ignoreUserCount } = details;
  const found: ArchiveCondition[] = [];
  if (ignoreDuration) found.push({ kind: 'date', untilMs: nowMs + ignoreDuration * MINUTE_MS });
  if (ignoreUntil) found.push({ kind: 'date', untilMs: readMoment(ignoreUntil) });
  if (ignoreCount) {
    found.push({ kind: 'events', count: ignoreCount, windowMinutes: details.ignoreWindow ?? null });
  }
  if (ignoreUserCount) {
    found.push({ kind: 'users', count: ignoreUserCount, windowMinutes: details.ignoreUserWindow ?? null });
  }
  if (details.untilEscalating) found.push({ kind: 'escalating' });
  return onlyOne(found, 'ignoreDuration, ignoreUntil, ignoreCount, ignoreUserCount, and untilEscalating');
}

function readMoment(text: string): number {
  const ms = Date.parse(text);
  if (Number.isFinite(ms)) return ms;
  throw invalid('Use a format such as 2026-01-31T12:00:00Z', 'statusDetails.ignoreUntil');
}

function onlyOne<Value>(found: readonly Value[], names: string): Value | null {
  if (found.length > 1) throw invalid(`Specify only one of ${names}`, 'statusDetails');
  return found[0] ?? null;
}

async function readAssignee(
  ctx: Context,
  assignedTo: string | null,
): Promise<Pick<IssueChange, 'assigneeUserId' | 'assigneeTeamId'>> {
  return assignedTo ? findAssignee(ctx, assignedTo) : { assigneeUserId: null };
}
