import type { Metadata } from 'next';
import { loadProjectPage } from '#app/[org]/projects/load-project.ts';
import type { PageRequest } from '#app/url-state.ts';
import { checkOwnership, getOwnership } from '#product/ownership/ownership.ts';
import { loadOwnerDirectory } from '#product/ownership/resolve-owner.ts';
import { hasRight } from '#product/permissions.ts';
import { ByUser } from '#ui/list-row.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { OwnershipForm } from './ownership-form.tsx';

export const metadata: Metadata = { title: 'Ownership' };

export default async function OwnershipPage({ params }: PageRequest<'org' | 'project'>) {
  const { org, slug, ctx } = await loadProjectPage(params);
  const [stored, directory] = await Promise.all([getOwnership(ctx, slug), loadOwnerDirectory(ctx)]);
  const { version, updatedAt, updatedBy, ...ownership } = stored;
  const canChange = hasRight(ctx.actor, 'project:write');
  return (
    <SettingsPage
      title="Ownership"
      description="Who owns which parts of the code. Issue pages suggest owners and show the rule that matched."
      lockedNote={canChange ? null : 'Ask an admin to change the ownership rules.'}
    >
      <OwnershipForm
        orgSlug={org}
        projectSlug={slug}
        ownership={ownership}
        version={version}
        check={checkOwnership(ownership, directory)}
        canChange={canChange}
      />
      {updatedAt === null ? null : (
        <p className="text-text-muted text-xs">
          Version {version}, saved <RelativeTime at={updatedAt} now={ctx.now()} />
          <ByUser user={updatedBy} />
        </p>
      )}
    </SettingsPage>
  );
}
