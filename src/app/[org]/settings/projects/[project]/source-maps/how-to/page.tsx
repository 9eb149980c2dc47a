import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import { StepList } from '#app/[org]/projects/step-list.tsx';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { hasRight } from '#product/permissions.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { PageBody } from '#ui/page-header.tsx';
import { TabLinks } from '#ui/tabs.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { UploadsHeader } from '../uploads-header.tsx';
import { tokenStep, UPLOAD_TOOLS, uploadSteps } from './upload-snippets.ts';

export const metadata: Metadata = { title: 'How to upload source maps' };

export default async function HowToUploadPage({ params, searchParams }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const requested = firstValue(await searchParams, 'tool');
  const tool = UPLOAD_TOOLS.find(({ id }) => id === requested)?.id ?? 'vite';
  const base = `/${org}/settings/projects/${slug}/source-maps`;
  const target = { url: ctx.publicUrl, organizationSlug: org, projectSlug: slug };
  return (
    <PageBody width="narrow">
      <UploadsHeader base={base} current="how-to" />
      <p className="mb-4 max-w-[75ch] text-sm text-text-muted">
        Sentry’s own tools can upload to Errata without changes. Each file of a build gets a debug ID, which
        the SDK sends with every event, so neither the release nor the URL of the file has to match.
      </p>
      <TabLinks
        label="Build tool"
        tabs={UPLOAD_TOOLS.map(({ id, label }) => ({
          href: `${base}/how-to?tool=${id}`,
          label,
          isCurrent: id === tool,
        }))}
      />
      <div className="mt-5 flex flex-col gap-6">
        <StepList steps={[tokenStep, ...uploadSteps(tool, target)]} />
        <p className="flex flex-wrap items-center gap-3 border-t pt-4 text-sm text-text-muted">
          <ButtonLink size="sm" href={`/${org}/settings/tokens`}>
            {hasRight(ctx.actor, 'org:write') ? 'Create a token' : 'Auth tokens'}
          </ButtonLink>
          <span>
            Uploaded files are listed under <TextLink href={base}>Uploads</TextLink>. You can apply them to
            earlier events later.
          </span>
        </p>
      </div>
    </PageBody>
  );
}
