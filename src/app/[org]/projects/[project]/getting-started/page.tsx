import type { Metadata } from 'next';
import { DsnField } from '#app/[org]/projects/dsn-field.tsx';
import { FirstEventCue } from '#app/[org]/projects/first-event-cue.tsx';
import { findFirstEvent, loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { PlatformSwitch } from '#app/[org]/projects/platform-picker.tsx';
import { LoopbackNotice } from '#app/loopback-notice.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { findPlatform } from '#domain/platforms.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { findGuide } from '../../sdk-snippets/find-guide.ts';
import { StepList } from '../../step-list.tsx';
import { GuideNotes } from './guide-notes.tsx';

export const metadata: Metadata = { title: 'Set up your SDK' };

export default async function GettingStartedPage({ params, searchParams }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx, project, dsn } = await loadProjectPage(params);
  const firstEvent = await findFirstEvent(ctx, slug);
  const requested = findPlatform(firstValue(await searchParams, 'platform'));
  const platform = (requested ?? findPlatform(project.platform))?.id ?? 'other';
  const guide = findGuide(platform);
  return (
    <Page
      width="narrow"
      title={`Set up ${project.name}`}
      description="Errata works with all Sentry SDKs. If your app already uses one, just change its DSN."
      actions={
        firstEvent.issue ? (
          <ButtonLink href={`/${org}/issues?project=${slug}`}>Go to issues</ButtonLink>
        ) : (
          <ButtonLink href={`/${org}/projects/${slug}`}>Skip for now</ButtonLink>
        )
      }
    >
      <div className="flex flex-col gap-6">
        <FirstEventCue orgSlug={org} project={{ id: project.id, slug }} initial={firstEvent} refreshesPage />
        {dsn ? (
          <>
            <section aria-labelledby="dsn-title">
              <h2 id="dsn-title" className="mb-1.5 font-medium text-sm">
                Project DSN
              </h2>
              <DsnField dsn={dsn} />
              <p className="mt-1.5 text-text-muted text-xs">
                It can only send events, so it is safe in client-side code.
              </p>
              <LoopbackNotice address={ctx.publicUrl} className="mt-1.5" />
            </section>
            <section aria-labelledby="steps-title">
              <h2 id="steps-title" className="mb-4 border-t pt-5 font-semibold text-lg">
                Steps
              </h2>
              <PlatformSwitch value={platform} />
              <div className="mt-6">
                <StepList steps={guide.steps(dsn)} />
              </div>
            </section>
            <GuideNotes guide={guide} uploads={`/${org}/settings/projects/${slug}/source-maps/how-to`} />
          </>
        ) : (
          <Notice
            tone="warning"
            title="This project has no active client keys"
            actions={
              <ButtonLink size="sm" href={`/${org}/settings/projects/${slug}/keys`}>
                Client keys
              </ButtonLink>
            }
          >
            Enable a key or create a new one to continue.
          </Notice>
        )}
      </div>
    </Page>
  );
}
