import { ExternalLink as ExternalIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { buttonClass } from '#ui/button.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { Link } from '#ui/link.tsx';
import { withQuery } from '../../../../url-state.ts';
import { BreadcrumbList } from './breadcrumb-list.tsx';
import { breadcrumbViews } from './breadcrumb-view.ts';
import { CopyJson } from './copy-json.tsx';
import { dataRows, MarkedValue } from './data-rows.tsx';
import { DataValue } from './data-value.tsx';
import { exceptionViews, threadViews } from './event-view.ts';
import { ExceptionChain } from './exception-chain.tsx';
import { stackView } from './frame-view.ts';
import { ProcessingErrors } from './processing-errors.tsx';
import { RequestSection } from './request-section.tsx';
import { ScrubBadges } from './scrub-badges.tsx';
import { marksOf, metaAt, type ScrubMark } from './scrub-marks.ts';
import { ScrubSummary } from './scrub-summary.tsx';
import { Section } from './section.tsx';
import { SectionIndex } from './section-index.tsx';
import { StackFrames } from './stack-frames.tsx';
import { tagSearch } from './tag-search.ts';
import { ThreadList } from './thread-list.tsx';

type Entry = { id: string; title: string; count?: number; actions?: ReactNode; content: ReactNode };

/** All that one event holds, one section under the other, with an index that stays in view. */
export function EventSections({
  organizationSlug,
  event,
  jsonHref,
}: {
  organizationSlug: string;
  event: StoredEvent;
  jsonHref: string;
}) {
  const sections = sectionsOf(organizationSlug, event);
  const json: Entry = {
    id: 'json',
    title: 'JSON',
    content: (
      <div className="flex flex-wrap items-center gap-2">
        <a href={jsonHref} target="_blank" rel="noreferrer" className={buttonClass({ size: 'sm' })}>
          <ExternalIcon aria-hidden className="size-3.5" />
          Open the event as JSON
        </a>
        <CopyJson href={jsonHref} />
      </div>
    ),
  };
  const all = [...sections, json];
  return (
    <>
      <ScrubSummary meta={event.payload._meta} />
      <SectionIndex sections={all.map(({ id, title, count }) => ({ id, title, count }))} />
      <div className="space-y-8">
        {all.map((section) => (
          <Section
            key={section.id}
            id={section.id}
            title={section.title}
            count={section.count}
            actions={section.actions}
          >
            {section.content}
          </Section>
        ))}
      </div>
    </>
  );
}

function sectionsOf(organizationSlug: string, { payload: event, tags, isBodySampled }: StoredEvent): Entry[] {
  // Without its body the event has no stack to show, and its title stands above.
  const exceptions = isBodySampled ? [] : exceptionViews(event);
  const threads = threadViews(event);
  const crumbs = breadcrumbViews(event);
  const contexts = Object.entries(event.contexts ?? {});
  const modules = Object.entries(event.modules ?? {});
  const sections: (Entry | null)[] = [
    messageSection(event),
    exceptions.length
      ? {
          id: 'stack-trace',
          title: 'Stack trace',
          content: <ExceptionChain exceptions={exceptions} platform={event.platform} />,
        }
      : null,
    event.stacktrace?.frames.length
      ? {
          id: 'stack',
          title: 'Stack of the message',
          content: (
            <StackFrames
              stack={stackView(event.stacktrace, metaAt(event._meta, 'stacktrace'))}
              order="newest"
              showAll={false}
            />
          ),
        }
      : null,
    threads.length
      ? { id: 'threads', title: 'Threads', count: threads.length, content: <ThreadList threads={threads} /> }
      : null,
    event.csp
      ? {
          id: 'csp',
          title: 'Policy report',
          content: <KeyValues rows={dataRows(event.csp, metaAt(event._meta, 'csp'))} />,
        }
      : null,
    crumbs.length
      ? {
          id: 'breadcrumbs',
          title: 'Breadcrumbs',
          count: crumbs.length,
          content: <BreadcrumbList crumbs={crumbs} eventAt={event.timestamp * 1000} />,
        }
      : null,
    event.request
      ? {
          id: 'request',
          title: 'Request',
          content: <RequestSection request={event.request} meta={metaAt(event._meta, 'request')} />,
        }
      : null,
    userSection(event),
    tags.length
      ? {
          id: 'tags',
          title: 'Tags',
          count: tags.length,
          content: <TagList organizationSlug={organizationSlug} tags={tags} marks={tagMarks(event)} />,
        }
      : null,
    contexts.length
      ? {
          id: 'contexts',
          title: 'Contexts',
          count: contexts.length,
          content: <Contexts contexts={contexts} meta={metaAt(event._meta, 'contexts')} />,
        }
      : null,
    event.extra && Object.keys(event.extra).length
      ? {
          id: 'extra',
          title: 'Extra data',
          content: <KeyValues rows={dataRows(event.extra, metaAt(event._meta, 'extra'))} />,
        }
      : null,
    sdkSection(event),
    modules.length
      ? {
          id: 'modules',
          title: 'Modules',
          count: modules.length,
          content: <KeyValues rows={dataRows(Object.fromEntries(modules))} />,
        }
      : null,
    event.errors?.length
      ? {
          id: 'processing',
          title: 'What was changed or left out',
          count: event.errors.length,
          content: <ProcessingErrors errors={event.errors} />,
        }
      : null,
  ];
  return sections.filter((section) => section !== null);
}

function messageSection(event: NormalizedEvent): Entry | null {
  const { logentry } = event;
  const message = logentry?.formatted || logentry?.message;
  if (!logentry || !message) return null;
  const meta = metaAt(event._meta, 'logentry');
  const isFormatted = Boolean(logentry.formatted);
  const rows = [
    {
      key: 'message',
      name: 'Message',
      value: <MarkedValue value={message} meta={metaAt(meta, isFormatted ? 'formatted' : 'message')} />,
    },
  ];
  if (logentry.message && logentry.message !== message) {
    rows.push({ key: 'template', name: 'Template', value: <DataValue value={logentry.message} /> });
  }
  const params = logentry.params;
  if (params && Object.keys(params).length > 0) {
    rows.push({
      key: 'params',
      name: 'Parameters',
      value: <MarkedValue value={params} meta={metaAt(meta, 'params')} />,
    });
  }
  return { id: 'message', title: 'Message', content: <KeyValues rows={rows} /> };
}

function userSection(event: NormalizedEvent): Entry | null {
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
  return { id: 'user', title: 'User', content: <KeyValues rows={dataRows(known, marks)} /> };
}

/** Marks by the name of the tag. */
function tagMarks(event: NormalizedEvent): ReadonlyMap<string, readonly ScrubMark[]> {
  const meta = metaAt(event._meta, 'tags');
  return new Map((event.tags ?? []).map(([key], index) => [key, marksOf(metaAt(meta, index, 1))]));
}

function sdkSection({ sdk, ...event }: NormalizedEvent): Entry | null {
  const facts = {
    sdk: [sdk?.name, sdk?.version].filter(Boolean).join(' ') || null,
    release: event.release,
    dist: event.dist,
    environment: event.environment,
    transaction: event.transaction,
    server: event.server_name,
    logger: event.logger,
    packages: sdk?.packages?.map((each) => [each.name, each.version].filter(Boolean).join(' ')).join('\n'),
    integrations: sdk?.integrations?.join(', '),
    fingerprint: event.fingerprint?.join(', '),
  };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value));
  if (Object.keys(known).length === 0) return null;
  return { id: 'sdk', title: 'SDK and release', content: <KeyValues rows={dataRows(known)} /> };
}

function TagList({
  organizationSlug,
  tags,
  marks,
}: {
  organizationSlug: string;
  tags: readonly (readonly [string, string])[];
  marks: ReadonlyMap<string, readonly ScrubMark[]>;
}) {
  return (
    <dl className="flex flex-wrap gap-1.5">
      {tags.map(([key, value]) => {
        const search = tagSearch(key, value);
        return (
          <div
            key={key}
            className="flex min-w-0 max-w-full items-stretch overflow-hidden rounded-sm border text-xs leading-5"
          >
            <dt className="break-anything bg-surface-pressed px-2 py-0.5 text-text-muted">
              <bdi>{key}</bdi>
            </dt>
            <dd className="break-anything bg-surface-raised px-2 py-0.5">
              {search ? (
                <Link
                  href={withQuery(`/${organizationSlug}/issues`, { query: search })}
                  className="text-accent underline decoration-from-font underline-offset-2"
                >
                  <bdi>{value}</bdi>
                </Link>
              ) : (
                <bdi>{value}</bdi>
              )}
              <ScrubBadges marks={marks.get(key) ?? []} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Contexts({
  contexts,
  meta,
}: {
  contexts: readonly [string, Readonly<Record<string, unknown>>][];
  meta: unknown;
}) {
  return (
    <div className="grid items-start gap-x-8 gap-y-5 xl:grid-cols-2">
      {contexts.map(([name, { type: _, ...facts }]) => (
        <div key={name} className="min-w-0">
          <h3 className="break-anything mb-1 font-medium text-sm">
            <bdi>{name}</bdi>
          </h3>
          {Object.keys(facts).length > 0 ? (
            <KeyValues rows={dataRows(facts, metaAt(meta, name))} />
          ) : (
            <>
              <p className="text-sm text-text-faint">empty</p>
              <ScrubBadges marks={marksOf(metaAt(meta, name))} />
            </>
          )}
        </div>
      ))}
    </div>
  );
}
