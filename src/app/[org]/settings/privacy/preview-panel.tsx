'use client';

import { ArrowRight } from 'lucide-react';
import { visibleText } from '#lib/visible-text.ts';
import { describeRemark } from '#product/privacy/describe-remark.ts';
import type { PreviewChange, PrivacyPreview } from '#product/privacy/preview-privacy-rules.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { TextField } from '#ui/field.tsx';
import { formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';

/** Previews the edited settings on a stored event. */
export function PreviewPanel({
  owner,
  eventId,
  onEventIdChange,
  onTry,
  isTrying,
  preview,
  failure,
}: {
  owner: { orgSlug: string; projectSlug: string | null };
  eventId: string;
  onEventIdChange: (eventId: string) => void;
  onTry: () => void;
  isTrying: boolean;
  preview: PrivacyPreview | null;
  failure: string | null;
}) {
  return (
    <Card id="preview" title="Preview">
      <form
        className="flex flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          onTry();
        }}
      >
        <TextField
          id="preview-event"
          label="Event ID"
          hint={`Leave empty to use the latest event of ${owner.projectSlug === null ? 'any project' : 'the project'}. Stored events were scrubbed when they arrived, so the preview only shows what the settings above would remove in addition. Scrubbed data cannot be restored.`}
          value={eventId}
          onChange={(event) => onEventIdChange(event.target.value)}
          error={failure}
          placeholder="latest"
          maxLength={60}
          spellCheck={false}
          autoComplete="off"
          className="min-w-0 flex-1 basis-64"
        />
        <Button type="submit" isPending={isTrying} className="h-9 sm:mt-[26px]">
          {isTrying ? 'Loading…' : 'Preview'}
        </Button>
      </form>
      <div aria-live="polite">{preview ? <Outcome preview={preview} /> : null}</div>
    </Card>
  );
}

function Outcome({ preview }: { preview: PrivacyPreview }) {
  const { event, changes, furtherChanges, hits, problems } = preview;
  if (problems.length > 0) {
    return (
      <div className="mt-4">
        <Notice tone="warning" title="Cannot preview">
          {formatPlural(problems.length, 'error')} above must be fixed first.
        </Notice>
      </div>
    );
  }
  if (!event) {
    return (
      <div className="mt-4">
        <Notice>No events yet. You can preview these settings once an event arrives.</Notice>
      </div>
    );
  }
  const idle = hits.flatMap((count, index) => (count === 0 ? [index + 1] : []));
  const total = changes.length + furtherChanges;
  return (
    <div className="mt-4 flex flex-col gap-3">
      <p className="break-anything text-sm">
        {total === 0
          ? 'Nothing else would be scrubbed from'
          : `${formatPlural(total, 'value')} would change in`}{' '}
        <bdi className="font-medium">{visibleText(event.title)}</bdi>{' '}
        <span className="mono text-text-muted text-xs">{event.eventId.slice(0, 8)}</span>.
      </p>
      {idle.length > 0 ? (
        <p className="text-sm text-warning">
          {idle.length === 1 ? 'Rule' : 'Rules'} {idle.join(', ')} {idle.length === 1 ? 'finds' : 'find'}{' '}
          nothing else in this event.
        </p>
      ) : null}
      {changes.length > 0 ? (
        <ol aria-label="Values that would change" className="divide-y rounded-md border">
          {changes.map((change) => (
            <ChangeRow key={change.path} change={change} />
          ))}
        </ol>
      ) : null}
      {furtherChanges > 0 ? (
        <p className="text-text-muted text-xs">and {formatPlural(furtherChanges, 'more value')}</p>
      ) : null}
    </div>
  );
}

function ChangeRow({ change }: { change: PreviewChange }) {
  return (
    <li className="px-3 py-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <bdi className="mono break-anything font-medium text-xs">{change.path}</bdi>
        <span className="text-text-muted text-xs">
          {change.rules.map((rule) => describeRemark(rule, '').what).join(', ')}
        </span>
      </p>
      <div className="mt-1 grid items-start gap-x-2 gap-y-1 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
        <Value label="before" text={change.before} className="bg-danger-soft" />
        <ArrowRight aria-hidden className="mt-0.5 hidden size-3.5 text-text-muted sm:block" />
        <Value label="after" text={change.after} className="bg-success-soft" />
      </div>
    </li>
  );
}

function Value({ label, text, className }: { label: string; text: string | null; className: string }) {
  return (
    <p className={`min-w-0 rounded-sm px-1.5 py-0.5 ${className}`}>
      <span className="sr-only">{label}: </span>
      {text === null || text === '' ? (
        <span className="text-text-muted text-xs">nothing</span>
      ) : (
        <bdi className="mono whitespace-pre-wrap text-xs [overflow-wrap:anywhere]">{text}</bdi>
      )}
    </p>
  );
}
