import type { Metadata } from 'next';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { findFirstEvent } from '#app/[org]/projects/find-first-event.ts';
import { FirstEventCue } from '#app/[org]/projects/first-event-cue.tsx';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { findPlatform } from '#app/[org]/projects/platforms.ts';
import { SnippetSteps } from '#app/[org]/projects/snippet-steps.tsx';
import { LoopbackNotice } from '#app/loopback-notice.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { PlatformSelect } from './platform-select.tsx';

export const metadata: Metadata = { title: 'Connect your program' };

export default async function GettingStartedPage({
  params,
  searchParams,
}: {
  params: Promise<{ org: string; project: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  const { project, dsn } = await loadProject(ctx, slug);
  const firstEvent = await findFirstEvent(ctx, slug);
  const asked = findPlatform(firstValue(await searchParams, 'platform'));
  const platform = (asked ?? findPlatform(project.platform))?.id ?? 'other';
  return (
    <PageBody width="narrow">
      <PageHeader
        title={`Connect ${project.name}`}
        description="Errata understands Sentry's SDKs. If your program has one already, change its DSN and you are done."
        actions={
          firstEvent.issue ? (
            <ButtonLink href={`/${org}/issues?project=${slug}`}>Go to issues</ButtonLink>
          ) : (
            <ButtonLink href={`/${org}/projects/${slug}`}>Skip for now</ButtonLink>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <FirstEventCue orgSlug={org} project={{ id: project.id, slug }} initial={firstEvent} refreshesPage />
        {dsn ? (
          <>
            <section aria-labelledby="dsn-title">
              <h2 id="dsn-title" className="mb-1.5 font-medium text-sm">
                DSN of this project
              </h2>
              <DsnField dsn={dsn} />
              <p className="mt-1.5 text-text-muted text-xs">
                It may only send, so it can stand in code that others see.
              </p>
              <LoopbackNotice address={ctx.publicUrl} className="mt-1.5" />
            </section>
            <section aria-labelledby="steps-title">
              <div className="mb-4 flex flex-wrap items-center justify-between gap-2 border-t pt-5">
                <h2 id="steps-title" className="font-semibold text-lg">
                  Steps
                </h2>
                <PlatformSelect value={platform} />
              </div>
              <SnippetSteps platform={platform} dsn={dsn} />
            </section>
          </>
        ) : (
          <Notice
            tone="warning"
            title="This project has no active client key"
            actions={
              <ButtonLink size="sm" href={`/${org}/settings/projects/${slug}/keys`}>
                Client keys
              </ButtonLink>
            }
          >
            Enable one or create a new one, then come back.
          </Notice>
        )}
      </div>
    </PageBody>
  );
}
