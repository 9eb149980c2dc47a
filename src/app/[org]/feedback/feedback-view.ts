import type { Issue } from '#domain/issues/issue.ts';
import { visibleStart, visibleText } from '#lib/visible-text.ts';

/** Longest message of a row; the page of the feedback shows all of it. */
const ROW_TEXT_CHARACTERS_MAX = 300;

export type FeedbackRowView = ReturnType<typeof feedbackRowView>;

/** What the inbox shows of a feedback. */
export function feedbackRowView({
  id,
  shortId,
  title,
  culprit,
  metadata,
  projectSlug,
  firstSeen,
  assignee,
}: Issue) {
  const { name, contact_email: email } = metadata;
  return {
    id,
    shortId,
    projectSlug,
    message: visibleStart(title, ROW_TEXT_CHARACTERS_MAX) || '(no message)',
    sender: visibleText(name || email || 'Anonymous'),
    email: email && email !== name && name ? visibleText(email) : null,
    /** Whom the page of a user is about; null when nobody gave an address. */
    userKey: email ? ({ kind: 'email', value: email } as const) : null,
    place: visibleText(culprit),
    arrivedAt: firstSeen,
    assigneeName: assignee?.name ?? null,
  };
}
