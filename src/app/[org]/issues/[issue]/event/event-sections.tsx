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
import { dataRows } from './data-rows.tsx';
import { DataValue } from './data-value.tsx';
import { exceptionViews, threadViews } from './event-view.ts';
import { ExceptionChain } from './exception-chain.tsx';
import { stackView } from './frame-view.ts';
import { ProcessingErrors } from './processing-errors.tsx';
import { RequestSection } from './request-section.tsx';
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

function sectionsOf(organizationSlug: string, { payload: event, tags }: StoredEvent): Entry[] {
  const exceptions = exceptionViews(event);
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
          content: <StackFrames stack={stackView(event.stacktrace)} order="newest" showAll={false} />,
        }
      : null,
    threads.length
      ? { id: 'threads', title: 'Threads', count: threads.length, content: <ThreadList threads={threads} /> }
      : null,
    event.csp
      ? { id: 'csp', title: 'Policy report', content: <KeyValues rows={dataRows(event.csp)} /> }
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
      ? { id: 'request', title: 'Request', content: <RequestSection request={event.request} /> }
      : null,
    userSection(event),
    tags.length
      ? {
          id: 'tags',
          title: 'Tags',
          count: tags.length,
          content: <TagList organizationSlug={organizationSlug} tags={tags} />,
        }
      : null,
    contexts.length
      ? {
          id: 'contexts',
          title: 'Contexts',
          count: contexts.length,
          content: <Contexts contexts={contexts} />,
        }
      : null,
    event.extra && Object.keys(event.extra).length
      ? { id: 'extra', title: 'Extra data', content: <KeyValues rows={dataRows(event.extra)} /> }
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
  const rows = [{ key: 'message', name: 'Message', value: <DataValue value={message} /> }];
  if (logentry.message && logentry.message !== message) {
    rows.push({ key: 'template', name: 'Template', value: <DataValue value={logentry.message} /> });
  }
  const params = logentry.params;
  if (params && Object.keys(params).length > 0) {
    rows.push({ key: 'params', name: 'Parameters', value: <DataValue value={params} /> });
  }
  return { id: 'message', title: 'Message', content: <KeyValues rows={rows} /> };
}

function userSection(event: NormalizedEvent): Entry | null {
  if (!event.user) return null;
  const { id, email, username, name, ip_address, geo, data } = event.user;
  const facts = { id, email, username, name, ip_address, geo, ...data };
  const known = Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
  if (Object.keys(known).length === 0) return null;
  return { id: 'user', title: 'User', content: <KeyValues rows={dataRows(known)} /> };
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
}: {
  organizationSlug: string;
  tags: readonly (readonly [string, string])[];
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
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Contexts({ contexts }: { contexts: readonly [string, Readonly<Record<string, unknown>>][] }) {
  return (
    <div className="grid items-start gap-x-8 gap-y-5 xl:grid-cols-2">
      {contexts.map(([name, { type: _, ...facts }]) => (
        <div key={name} className="min-w-0">
          <h3 className="break-anything mb-1 font-medium text-sm">
            <bdi>{name}</bdi>
          </h3>
          {Object.keys(facts).length > 0 ? (
            <KeyValues rows={dataRows(facts)} />
          ) : (
            <p className="text-sm text-text-faint">empty</p>
          )}
        </div>
      ))}
    </div>
  );
}
