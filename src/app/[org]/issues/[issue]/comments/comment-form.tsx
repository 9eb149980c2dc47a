'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import { FormButtons } from '#app/shell/form-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Textarea } from '#ui/field.tsx';
import type { IssuePlace } from '../people/on-issue.ts';
import { useIssueAction } from '../people/use-issue-action.ts';
import { addCommentAction, deleteCommentAction, editCommentAction } from './comment-actions.ts';
import type { CommentView } from './read-comment.ts';

const CHARACTERS_MAX = 10_000;

/** Writes a comment, or with `comment` changes one; what was typed stays when it is refused. ⌘⏎ sends. */
export function CommentForm({
  place,
  comment,
  onDone,
}: {
  place: IssuePlace;
  comment?: { id: number; text: string };
  onDone?: () => void;
}) {
  const id = useId();
  const { run, isPending } = useIssueAction();
  const [text, setText] = useState(comment?.text ?? '');

  function send() {
    if (text.trim() === '' || isPending) return;
    run(
      () => (comment ? editCommentAction(place, comment.id, text) : addCommentAction(place, text)),
      () => {
        if (!comment) setText('');
        onDone?.();
        return null;
      },
    );
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    send();
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="space-y-2"
    >
      <label htmlFor={id} className="sr-only">
        {comment ? 'Edit comment' : 'Add a comment'}
      </label>
      <Textarea
        id={id}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        maxLength={CHARACTERS_MAX}
        rows={comment ? 3 : 2}
        placeholder="Add a comment. Use @name or #team to notify people."
        className="min-h-14"
      />
      <FormButtons
        label={isPending ? 'Sending…' : comment ? 'Save' : 'Comment'}
        disabled={isPending || text.trim() === ''}
        onCancel={comment && onDone}
      />
    </form>
  );
}

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
