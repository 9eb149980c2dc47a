import type { Metadata } from 'next';
import { loadProject } from '#app/[org]/projects/load-project.ts';
import { getRequestContext } from '#app/request-context.ts';
import { checkOwnership, getOwnership } from '#product/ownership/ownership.ts';
import { loadOwnerDirectory } from '#product/ownership/resolve-owner.ts';
import { hasRight } from '#product/permissions.ts';
import { PageBody, PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { OwnershipForm } from './ownership-form.tsx';

export const metadata: Metadata = { title: 'Ownership' };

export default async function OwnershipPage({
  params,
}: {
  params: Promise<{ org: string; project: string }>;
}) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  await loadProject(ctx, slug);
  const [stored, directory] = await Promise.all([getOwnership(ctx, slug), loadOwnerDirectory(ctx)]);
  const { version, updatedAt, updatedBy, ...ownership } = stored;
  const canChange = hasRight(ctx.actor, 'project:write');
  return (
    <PageBody width="narrow">
      <PageHeader
        title="Ownership"
        description="Who answers for which part of the code. The page of an issue suggests its owners and says by which rule."
      />
      <OwnershipForm
        orgSlug={org}
        projectSlug={slug}
        ownership={ownership}
        version={version}
        check={checkOwnership(ownership, directory)}
        canChange={canChange}
      />
      {updatedAt === null ? null : (
        <p className="mt-5 text-text-muted text-xs">
          Version {version}, saved <RelativeTime at={updatedAt} now={ctx.now()} />
          {updatedBy ? (
            <>
              {' by '}
              <bdi>{updatedBy.name}</bdi>
            </>
          ) : null}
        </p>
      )}
      {canChange ? null : (
        <p className="mt-5 text-sm text-text-muted">
          Ask an admin of the organization to change who owns what.
        </p>
      )}
    </PageBody>
  );
}
