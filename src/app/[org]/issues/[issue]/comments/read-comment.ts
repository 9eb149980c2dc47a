import type { Activity } from '#domain/issues/issue.ts';
import type { Mention } from '#product/comments/comment-store.ts';

export type CommentView = ReturnType<typeof readComment>;

/** The comment of an activity, whatever is stored there; its text in parts, which are mentions or plain text. */
export function readComment({ id, data }: Pick<Activity, 'id' | 'data'>) {
  const text = typeof data.text === 'string' ? data.text : '';
  const mentions = Array.isArray(data.mentions) ? (data.mentions as readonly Mention[]) : [];
  const parts: { text: string; isMention: boolean }[] = [];
  let at = 0;
  for (const { start, end } of mentions) {
    if (!(start >= at && end > start && end <= text.length)) continue;
    if (start > at) parts.push({ text: text.slice(at, start), isMention: false });
    parts.push({ text: text.slice(start, end), isMention: true });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMention: false });
  return { id, text, parts, isEdited: typeof data.editedAt === 'number' };
}
