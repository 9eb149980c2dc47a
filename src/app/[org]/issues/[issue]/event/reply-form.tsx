'use client';

import { useId, useState } from 'react';
import { FormButtons } from '#app/shell/form-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Field, fieldIds, Textarea } from '#ui/field.tsx';
import type { IssuePlace } from '../people/on-issue.ts';
import { useIssueAction } from '../people/use-issue-action.ts';
import { replyToFeedbackAction } from './reply-actions.ts';

const CHARACTERS_MAX = 10_000;

/** Writes to the sender of a feedback; what was typed stays when it is refused. ⌘⏎ sends. */
export function ReplyForm({ place, eventId, to }: { place: IssuePlace; eventId: string; to: string }) {
  const id = useId();
  const { run, isPending } = useIssueAction();
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  if (!isOpen) return <Button onClick={() => setOpen(true)}>Reply by email</Button>;

  function send() {
    if (text.trim() === '' || isPending) return;
    run(
      () => replyToFeedbackAction(place, eventId, text),
      () => {
        setText('');
        setOpen(false);
        return { title: 'Reply queued', description: 'The activity shows when it is sent.' };
      },
    );
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      className="max-w-[75ch] space-y-2"
    >
      <Field
        id={id}
        label={
          <>
            Reply to <bdi className="break-anything">{to}</bdi>
          </>
        }
        hint="Sent as plain text with their message below. Their answer goes to your own email address."
      >
        <Textarea
          id={id}
          autoFocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            send();
          }}
          maxLength={CHARACTERS_MAX}
          rows={5}
          aria-describedby={fieldIds(id).hint}
        />
      </Field>
      <FormButtons
        label={isPending ? 'Sending…' : 'Send reply'}
        disabled={isPending || text.trim() === ''}
        onCancel={() => setOpen(false)}
      />
    </form>
  );
}
