import { hashSecret } from '#lib/one-time-secret.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Services } from '#product/services.ts';
import type { Frame, NormalizedEvent, Stacktrace } from '#protocol/event.ts';

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const EXCEPTIONS_MAX = 10;
const FRAMES_MAX = 250;

/** One call, by its place in the code alone. */
export type SharedFrame = {
  function: string | null;
  module: string | null;
  filename: string | null;
  lineNumber: number | null;
  columnNumber: number | null;
  /** The line of the code itself, without those around it. */
  contextLine: string | null;
  isInApp: boolean;
};

export type SharedException = {
  type: string | null;
  /** Oldest call first. */
  frames: readonly SharedFrame[];
};

/**
 * What everybody may see of a shared issue: title, type, stack without variables, counts and dates. What an issue and its
 * event have besides (organization, project, short id, state, user, headers, breadcrumbs, tags, contexts) is never read
 * into it.
 */
export type SharedIssue = {
  title: string;
  /** Of the exception; null when the issue is about none. */
  type: string | null;
  timesSeen: number;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
  expiresAt: number;
  /** Innermost cause last; empty when the event has none, is gone, or its store does not answer. */
  exceptions: readonly SharedException[];
};

/** null when the token opens nothing, or nothing any more. */
export async function openSharedIssue(
  { stores, now }: Pick<Services, 'stores' | 'now'>,
  token: string,
): Promise<SharedIssue | null> {
  if (!TOKEN.test(token)) return null;
  const share = await stores.issueShares.open(hashSecret(token), now());
  if (!share) return null;
  const { organizationId } = share;
  const [issue] = await stores.issues.findByIds(organizationId, [share.issueId]);
  if (!issue) return null;
  const hashes = await stores.issues.listHashes(organizationId, [issue.id]);
  // Without its store the rest is shown all the same.
  const event = await orUnavailable(
    stores.events.findEdgeEvent(
      { organizationId, projectIds: [issue.projectId] },
      { issueId: issue.id, projectId: issue.projectId, hashes: hashes.get(issue.id) ?? [] },
      'recommended',
    ),
  );
  return {
    title: issue.title,
    type: issue.metadata.type ?? null,
    timesSeen: issue.timesSeen,
    firstSeen: issue.firstSeen,
    lastSeen: issue.lastSeen,
    expiresAt: share.expiresAt,
    exceptions: event.ok && event.value ? exceptionsOf(event.value.payload) : [],
  };
}

function exceptionsOf(payload: NormalizedEvent): readonly SharedException[] {
  const exceptions = (payload.exception?.values ?? []).slice(-EXCEPTIONS_MAX).map((exception) => ({
    type: exception.type ?? null,
    frames: framesOf(exception.stacktrace),
  }));
  if (exceptions.length > 0 || !payload.stacktrace) return exceptions;
  return [{ type: null, frames: framesOf(payload.stacktrace) }];
}

const framesOf = (stacktrace: Stacktrace | null | undefined): readonly SharedFrame[] =>
  (stacktrace?.frames ?? []).slice(-FRAMES_MAX).map((frame) => ({
    function: frame.function ?? null,
    module: frame.module ?? null,
    filename: withoutQuery(frame),
    lineNumber: frame.lineno ?? null,
    columnNumber: frame.colno ?? null,
    contextLine: frame.context_line ?? null,
    isInApp: frame.in_app === true,
  }));

/** An address of a script may carry a session in its query. */
const withoutQuery = ({ filename }: Frame): string | null => filename?.replace(/[?#].*$/s, '') ?? null;
