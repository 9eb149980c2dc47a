'use client';

import { X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { type KeyValue, KeyValues } from '#ui/key-values.tsx';
import { LevelMark } from '#ui/level-badge.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { type LoadedSpan, loadSpanAction } from '../actions.ts';
import type { TraceMark } from '../place-errors.ts';
import { profileOfSpan, type TraceProfile } from '../place-profiles.ts';
import { SpanEventList } from './span-event-list.tsx';
import { EVENTS_ATTRIBUTE, readSpanEvents } from './span-events.ts';
import { durationOf, type ShownSpan, skewOf } from './span-tree.ts';

/** What is known of the selected span; its attributes come when it is opened. */
export function SpanDetails({
  organizationSlug,
  traceId,
  span,
  errors,
  profile,
  onClose,
  onSelect,
}: {
  organizationSlug: string;
  traceId: string;
  span: ShownSpan;
  errors: readonly TraceMark[];
  /** Of the transaction that the span is, or is part of; null when it has none. */
  profile: TraceProfile | null;
  onClose: () => void;
  onSelect: (span: ShownSpan) => void;
}) {
  const [loaded, setLoaded] = useState<LoadedSpan | null>(null);
  const { spanId } = span;
  const isOfSpan = profile !== null && (profile.spanId === spanId || profile.continuous === null);
  const profileHref = isOfSpan
    ? profile.href
    : loaded?.ok
      ? profileOfSpan(loaded.span, organizationSlug, span.project, profile?.continuous)
      : null;
  useEffect(() => {
    let isWanted = true;
    loadSpanAction({ organizationSlug, traceId, spanId })
      .catch(() => ({ ok: false, reason: 'The server is not responding. Select the span again.' }) as const)
      .then((answer) => isWanted && setLoaded(answer));
    return () => {
      isWanted = false;
    };
  }, [organizationSlug, traceId, spanId]);

  return (
    <section
      aria-label="Span"
      className="min-w-0 rounded-lg border bg-surface-raised xl:sticky xl:top-16 xl:max-h-[calc(100vh-5rem)] xl:w-[400px] xl:overflow-auto"
    >
      <header className="flex items-start gap-2 border-b px-4 py-2.5">
        <div className="min-w-0 flex-1">
          <h2 className="break-anything font-semibold text-sm">
            <bdi>{span.name || span.op || 'Span'}</bdi>
          </h2>
          <p className="numbers text-text-muted text-xs">
            {span.op ? `${span.op} · ` : ''}
            {formatElapsed(durationOf(span))}, {formatElapsed(span.startUs)} after the trace began
          </p>
        </div>
        <CopyButton text={spanId} label="Copy span ID" />
        <Button variant="ghost" size="sm" iconOnly aria-label="Close" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </header>
      <div className="flex flex-col gap-4 p-4">
        <Warnings span={span} />
        {errors.length > 0 ? (
          <ul aria-label="Errors in this span" className="flex flex-col gap-1 text-sm">
            {errors.map(({ eventId, title, level, href }) => (
              <li key={eventId} className="flex items-center gap-2">
                <LevelMark level={level} />
                <bdi className="min-w-0 truncate">
                  {href === null ? (
                    title
                  ) : (
                    <Link href={href} className="text-accent hover:underline">
                      {title}
                    </Link>
                  )}
                </bdi>
              </li>
            ))}
          </ul>
        ) : null}
        {profileHref === null ? null : (
          <Link href={profileHref} className="w-fit text-accent text-sm hover:underline">
            Profile
          </Link>
        )}
        <KeyValues isNarrow rows={factsOf(span, onSelect)} />
        {loaded === null ? (
          <div aria-busy className="flex flex-col gap-2">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        ) : loaded.ok ? (
          <Attributes loaded={loaded} />
        ) : (
          <Notice tone="warning" title="Couldn’t load the attributes">
            {loaded.reason}
          </Notice>
        )}
      </div>
    </section>
  );
}

function Warnings({ span }: { span: ShownSpan }) {
  const skewUs = skewOf(span);
  return (
    <>
      {span.isOrphan ? (
        <Notice tone="warning" title="The span that started this one is missing">
          Its project did not send it, it was not sampled, or it has not arrived yet.
        </Notice>
      ) : null}
      {skewUs > 0 ? (
        <Notice tone="warning" title={`Began ${formatElapsed(skewUs)} before its parent`}>
          The clocks of the two machines differ, so its place in time is not exact.
        </Notice>
      ) : null}
    </>
  );
}

function factsOf(span: ShownSpan, onSelect: (span: ShownSpan) => void): readonly KeyValue[] {
  const { parent } = span;
  const inChildrenUs = coveredUs(span);
  const rows: { name: string; value: ReactNode | null }[] = [
    { name: 'Project', value: span.project || null },
    { name: 'Status', value: span.status || null },
    {
      name: 'Own time',
      value: span.children.length > 0 ? formatElapsed(durationOf(span) - inChildrenUs) : null,
    },
    {
      name: 'Parent',
      value: parent && (
        <button
          type="button"
          onClick={() => onSelect(parent)}
          className="max-w-full truncate text-left text-accent hover:underline"
        >
          {parent.name || parent.op || parent.spanId}
        </button>
      ),
    },
    { name: 'Span ID', value: <code className="mono text-xs">{span.spanId}</code> },
  ];
  return rows.flatMap(({ name, value }) => (value === null ? [] : [{ key: name, name, value }]));
}

/** How much of a span was spent in those that it started. */
function coveredUs({ startUs, endUs, children }: ShownSpan): number {
  let [sum, until] = [0, startUs];
  for (const child of children) {
    const [from, to] = [Math.max(child.startUs, until), Math.min(child.endUs, endUs)];
    if (to <= from) continue;
    sum += to - from;
    until = to;
  }
  return sum;
}

function Attributes({ loaded: { span } }: { loaded: Extract<LoadedSpan, { ok: true }> }) {
  const known: Readonly<Record<string, string | null>> = {
    release: span.release,
    environment: span.environment,
    'sdk.name': span.sdkName,
    origin: span.origin,
    kind: span.kind,
    'user.id': span.userId,
  };
  const events = readSpanEvents(span);
  const all = { ...known, ...span.attributes, ...(events ? { [EVENTS_ATTRIBUTE]: null } : {}) };
  const rows = Object.entries(all)
    .filter(([, value]) => value !== null && value !== '')
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, value]) => ({ key: name, name, value: <bdi>{String(value)}</bdi> }));
  return (
    <>
      {events ? <SpanEventList events={events} /> : null}
      <section aria-label="Attributes">
        <h3 className="mb-1 font-semibold text-sm">Attributes</h3>
        {rows.length > 0 ? (
          <KeyValues isNarrow rows={rows} />
        ) : (
          <p className="text-sm text-text-muted">This span was sent without attributes.</p>
        )}
      </section>
    </>
  );
}
