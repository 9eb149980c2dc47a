import type { ReactNode } from 'react';
import { userHref } from '#app/[org]/user-href.ts';
import { withQuery } from '#app/url-state.ts';
import { keyOfUser } from '#product/users/user-key.ts';
import { FEEDBACK_TYPE, type NormalizedEvent } from '#protocol/event.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { formatBytes } from '#ui/format-number.ts';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { BreadcrumbList } from './breadcrumbs/breadcrumb-list.tsx';
import { breadcrumbViews } from './breadcrumbs/breadcrumb-view.ts';
import { ContextList } from './contexts/context-list.tsx';
import { EventLogs } from './event-logs.tsx';
import type { EventParts, EventPlace, SectionEntry } from './event-parts.ts';
import { FeedbackList } from './feedback-list.tsx';
import { feedbackSection } from './feedback-section.tsx';
import { monitorSection } from './monitor-section.tsx';
import { ProcessingErrors } from './processing-errors.tsx';
import { RequestSection } from './request-section.tsx';
import { marksOf, metaAt, type ScrubMark } from './scrub-marks.tsx';
import { evidenceSection } from './span-evidence.tsx';
import { asSent } from './stack/as-sent.ts';
import { messageStackSection, stackSection, threadSection } from './stack-sections.tsx';
import { TagList } from './tag-list.tsx';
import { DataTable, DataValue, dataRows, MarkedValue } from './values/data-value.tsx';
import { below, type ValueLocation, valueHref } from './values/value-location.ts';

/** What an event has, in the order in which it is read. */
export function sectionsOf(parts: EventParts, place: EventPlace, now: number): SectionEntry[] {
  const { event: stored, attachments, feedback, logs } = parts;
  const { payload: event, tags } = stored;
  const { eventHref } = place;
  const root: ValueLocation = { eventHref, path: [] };
  const { modules = {}, errors = [], request, extra, _meta } = event;
  const contexts = contextsOf(event);
  const crumbs = breadcrumbViews(event);
  const crumbsHref = `${valueHref(below(root, 'breadcrumbs', 'values'))}&at=`;
  const traceId = traceIdOf(event);
  const dataSection = (id: string, title: string, data: Data | null | undefined): SectionEntry | null =>
    data
      ? { id, title, content: <DataTable data={data} place={below(root, id)} meta={metaAt(_meta, id)} /> }
      : null;
  const sections: (SectionEntry | null)[] = [
    evidenceSection(event, place.organizationSlug),
    monitorSection(event, place.organizationSlug),
    event.type === FEEDBACK_TYPE ? feedbackSection(stored, place) : null,
    event.type === FEEDBACK_TYPE || event.monitor ? null : messageSection(event, root),
    stackSection(parts, place),
    messageStackSection(event, place),
    threadSection(place.stack.isAsSent ? asSent(event) : event, place),
    ...REPORTS.map(([name, title]) => dataSection(name, title, event[name])),
    listSection('feedback', 'User feedback', feedback.length, <FeedbackList rows={feedback} now={now} />),
    listSection(
      'attachments',
      'Attachments',
      attachments.length,
      <AttachmentList
        attachments={attachments}
        hrefOf={({ attachmentId }) => `${eventHref}/attachments/${attachmentId}`}
      />,
    ),
    listSection(
      'breadcrumbs',
      'Breadcrumbs',
      crumbs.length,
      <BreadcrumbList crumbs={crumbs} eventAt={event.timestamp * 1000} valuesHref={crumbsHref} />,
    ),
    traceId && logs
      ? listSection(
          'logs',
          'Logs',
          logs.lines.length,
          <EventLogs
            logs={logs}
            organizationSlug={place.organizationSlug}
            traceId={traceId}
            atMs={stored.occurredAt}
          />,
        )
      : null,
    request
      ? {
          id: 'request',
          title: 'Request',
          content: <RequestSection request={request} eventHref={eventHref} meta={metaAt(_meta, 'request')} />,
        }
      : null,
    userSection(stored, root, place.organizationSlug),
    listSection(
      'tags',
      'Tags',
      tags.length,
      <TagList issueHref={place.issueHref} tags={tags} marks={tagMarks(event)} />,
    ),
    traceId
      ? {
          id: 'trace',
          title: 'Trace',
          content: <TraceSection organizationSlug={place.organizationSlug} traceId={traceId} event={event} />,
        }
      : null,
    listSection(
      'contexts',
      'Contexts',
      Object.keys(contexts).length,
      <ContextList contexts={contexts} place={below(root, 'contexts')} meta={metaAt(_meta, 'contexts')} />,
    ),
    dataSection('extra', 'Additional data', extra && Object.keys(extra).length > 0 ? extra : null),
    {
      id: 'sdk',
      title: 'SDK and release',
      content: <KeyValues rows={dataRows(detailFacts(stored), root)} />,
    },
    listSection(
      'modules',
      'Modules',
      Object.keys(modules ?? {}).length,
      <DataTable data={modules ?? {}} place={below(root, 'modules')} />,
    ),
    listSection(
      'processing',
      'Processing errors',
      errors?.length ?? 0,
      <ProcessingErrors errors={errors ?? []} eventHref={eventHref} />,
    ),
  ];
  return sections.filter((section) => section !== null);
}

type Data = Readonly<Record<string, unknown>>;

/** A section that says how much it lists; null when that is nothing. */
const listSection = (id: string, title: string, count: number, content: ReactNode): SectionEntry | null =>
  count > 0 ? { id, title, count, content } : null;

const REPORTS = [
  ['csp', 'Policy report'],
  ['hpkp', 'Pinning report'],
  ['expectct', 'Certificate report'],
  ['expectstaple', 'Stapling report'],
  ['nel', 'Network report'],
] as const;

function messageSection(event: NormalizedEvent, root: ValueLocation): SectionEntry | null {
  const { logentry } = event;
  const message = logentry?.formatted || logentry?.message;
  if (!logentry || !message) return null;
  const meta = metaAt(event._meta, 'logentry');
  const place = below(root, 'logentry');
  const field = logentry.formatted ? 'formatted' : 'message';
  const marked = (name: string, key: 'formatted' | 'message' | 'params') => ({
    key: key as string,
    name,
    value: <MarkedValue value={logentry[key]} place={below(place, key)} meta={metaAt(meta, key)} />,
  });
  const rows = [marked('Message', field)];
  if (logentry.message && logentry.message !== message) {
    const value = <DataValue value={logentry.message} place={below(place, 'message')} />;
    rows.push({ key: 'template', name: 'Template', value });
  }
  if (logentry.params && Object.keys(logentry.params).length > 0) rows.push(marked('Parameters', 'params'));
  return { id: 'message', title: 'Message', content: <KeyValues rows={rows} /> };
}

function userSection(
  { payload: event, user }: StoredEvent,
  root: ValueLocation,
  organizationSlug: string,
): SectionEntry | null {
  if (!event.user) return null;
  const { id, email, username, name, ip_address, geo, data } = event.user;
  const facts = { id, email, username, name, ip_address, geo, ...data };
  const meta = metaAt(event._meta, 'user');
  const marks = { ...meta, ...metaAt(meta, 'data') };
  // What was taken away is worth a row: without it the address would seem never to have been sent.
  const known = Object.fromEntries(
    Object.entries(facts).filter(
      ([key, value]) =>
        (value !== null && value !== undefined && value !== '') || marksOf(metaAt(marks, key)).length > 0,
    ),
  );
  if (Object.keys(known).length === 0) return null;
  const key = keyOfUser(user);
  return {
    id: 'user',
    title: 'User',
    content: (
      <>
        <DataTable data={known} place={below(root, 'user')} meta={marks} />
        {key === null ? null : (
          <p className="mt-3 text-sm">
            <Link href={userHref(organizationSlug, key)} className="link">
              View everything of this user
            </Link>
          </p>
        )}
      </>
    ),
  };
}

/** Marks by the name of the tag. */
function tagMarks(event: NormalizedEvent): ReadonlyMap<string, readonly ScrubMark[]> {
  const meta = metaAt(event._meta, 'tags');
  return new Map((event.tags ?? []).map(([key], index) => [key, marksOf(metaAt(meta, index, 1))]));
}

/** Who sent an event, for which release, and how large it is: what is known, by names for people. */
function detailFacts({ payload, eventId, isBodySampled }: StoredEvent): Readonly<Record<string, string>> {
  const { sdk, ...event } = payload;
  const facts: Record<string, string | null | undefined> = {
    SDK: [sdk?.name, sdk?.version].filter(Boolean).join(' '),
    Release: event.release,
    Distribution: event.dist,
    Environment: event.environment,
    Transaction: event.transaction,
    Server: event.server_name,
    Logger: event.logger,
    Packages: sdk?.packages?.map((each) => [each.name, each.version].filter(Boolean).join(' ')).join('\n'),
    Integrations: sdk?.integrations?.join(', '),
    Fingerprint: event.fingerprint?.join(', '),
    'Event id': eventId,
    'Size as stored': isBodySampled ? null : formatBytes(Buffer.byteLength(JSON.stringify(payload))),
  };
  return Object.fromEntries(
    Object.entries(facts).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/** 32 lower-case hex digits; null when the event belongs to no trace. */
export function traceIdOf(event: NormalizedEvent): string | null {
  const id = event.contexts?.trace?.trace_id;
  return typeof id === 'string' && /^[0-9a-f]{32}$/.test(id) ? id : null;
}

/** Where the page of the trace shows the event: at the span in which it happened. */
/** Without what the message of a feedback has said already. */
function contextsOf({ type, contexts }: NormalizedEvent) {
  const { feedback, ...rest } = contexts ?? {};
  return type === FEEDBACK_TYPE || !feedback ? rest : { ...rest, feedback };
}

export function traceHref(organizationSlug: string, traceId: string, { contexts }: NormalizedEvent): string {
  const span = contexts?.trace?.span_id;
  return withQuery(`/${organizationSlug}/traces/${traceId}`, {
    span: typeof span === 'string' ? span : null,
  });
}

/** The trace that the event belongs to, and what else happened in it. */
function TraceSection({
  organizationSlug,
  traceId,
  event,
}: {
  organizationSlug: string;
  traceId: string;
  event: NormalizedEvent;
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="inline-flex min-w-0 items-center">
        <code className="mono break-anything text-xs">{traceId}</code>
        <CopyButton text={traceId} label="Copy trace ID" />
      </span>
      <Link href={traceHref(organizationSlug, traceId, event)} className="link">
        Open trace
      </Link>
      <Link href={withQuery(`/${organizationSlug}/issues`, { query: `trace:${traceId}` })} className="link">
        Issues in the same trace
      </Link>
    </p>
  );
}
