'use client';

import { type FormEvent, useId, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Field, fieldIds, Input, Textarea, TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';

/** As the edge takes them: src/ingest/accept/accept-feedback-form.ts. */
const MESSAGE_CHARACTERS_MAX = 4_096;
const NAME_CHARACTERS_MAX = 256;
const IMAGE_TYPES = 'image/png,image/jpeg,image/webp,image/gif';

type State = { kind: 'writing'; problem: string | null } | { kind: 'sending' } | { kind: 'sent' };

/** What was typed stays when it could not be sent. */
export function FeedbackForm({ action }: { action: string }) {
  const id = useId();
  const [state, setState] = useState<State>({ kind: 'writing', problem: null });

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setState({ kind: 'sending' });
    const problem = await send(action, form);
    setState(problem === null ? { kind: 'sent' } : { kind: 'writing', problem });
  }

  if (state.kind === 'sent') {
    return (
      <>
        <div role="status">
          <Notice tone="success" title="Your feedback was sent">
            Thank you.
          </Notice>
        </div>
        <p className="mt-4">
          <Button onClick={() => setState({ kind: 'writing', problem: null })}>Write more</Button>
        </p>
      </>
    );
  }
  return (
    <Card id="form">
      <form onSubmit={onSubmit} className="space-y-4">
        <Field id={`${id}-message`} label="Message">
          <Textarea
            id={`${id}-message`}
            name="message"
            required
            maxLength={MESSAGE_CHARACTERS_MAX}
            rows={7}
            placeholder="What happened? What did you expect?"
          />
        </Field>
        <TextField label="Name (optional)" name="name" autoComplete="name" maxLength={NAME_CHARACTERS_MAX} />
        <TextField
          label="Email (optional)"
          name="email"
          type="email"
          autoComplete="email"
          maxLength={NAME_CHARACTERS_MAX}
          hint="Only used to reply to you."
        />
        <Field
          id={`${id}-screenshot`}
          label="Screenshot (optional)"
          hint="PNG, JPEG, WebP or GIF, up to 5 MiB."
        >
          <Input
            id={`${id}-screenshot`}
            name="screenshot"
            type="file"
            accept={IMAGE_TYPES}
            className="py-1.5 file:mr-3 file:cursor-pointer file:underline"
            aria-describedby={fieldIds(`${id}-screenshot`).hint}
          />
        </Field>
        {state.kind === 'writing' && state.problem ? (
          <div role="alert">
            <Notice tone="danger" title="Your feedback was not sent">
              {state.problem}
            </Notice>
          </div>
        ) : null}
        <Button type="submit" variant="primary" isPending={state.kind === 'sending'}>
          Send feedback
        </Button>
      </form>
    </Card>
  );
}

/** Without cookies, to the same origin. Answers why it could not be sent, as a sentence; null when it was. */
async function send(action: string, body: FormData): Promise<string | null> {
  try {
    const response = await fetch(action, { method: 'POST', body, credentials: 'omit' });
    if (response.ok) return null;
    const { detail } = (await response.json()) as { detail?: unknown };
    return `${typeof detail === 'string' ? detail : 'The server did not accept it'}.`;
  } catch {
    return 'The server cannot be reached. Check your connection and try again.';
  }
}
