'use client';

import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import type { IssuePlace } from '../people/on-issue.ts';
import { useIssueAction } from '../people/use-issue-action.ts';
import { addCommentAction, deleteCommentAction } from './comment-actions.ts';
import { CommentForm } from './comment-form.tsx';
import type { CommentView } from './read-comment.ts';

/** A comment; its author can change it in its place and delete it. */
export function CommentEntry({
  place,
  comment,
  canChange,
}: {
  place: IssuePlace;
  comment: CommentView;
  canChange: boolean;
}) {
  const { run, isPending } = useIssueAction();
  const [isEditing, setEditing] = useState(false);
  if (isEditing) {
    return (
      <div className="mt-1">
        <CommentForm place={place} comment={comment} onDone={() => setEditing(false)} />
      </div>
    );
  }
  return (
    <>
      <p className="mt-1 whitespace-pre-wrap rounded-md bg-surface-pressed px-2.5 py-1.5 text-text">
        <bdi>
          {comment.parts.map((part, index) =>
            part.isMention ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text keep their places
              <b key={index} className="font-medium text-accent">
                {part.text}
              </b>
            ) : (
              part.text
            ),
          )}
        </bdi>
        {comment.isEdited ? <span className="text-text-muted text-xs"> (edited)</span> : null}
      </p>
      {canChange ? (
        <div className="mt-0.5 flex gap-1">
          <Button size="sm" variant="ghost" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Button
            size="sm"
            variant="ghost"
            disabled={isPending}
            onClick={() =>
              run(
                () => deleteCommentAction(place, comment.id),
                () => ({
                  title: 'Comment deleted',
                  action: {
                    label: 'Undo',
                    onSelect: () => run(() => addCommentAction(place, comment.text)),
                  },
                }),
              )
            }
          >
            Delete
          </Button>
        </div>
      ) : null}
    </>
  );
}
