import { FolderPlus } from 'lucide-react';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

/** The stream before there is anything that could send. */
export function NoProjects({
  organizationSlug,
  canCreate,
}: {
  organizationSlug: string;
  canCreate: boolean;
}) {
  return (
    <>
      <h1 className="sr-only">Issues</h1>
      <EmptyState
        icon={<FolderPlus />}
        title="No project yet"
        actions={
          canCreate ? (
            <ButtonLink variant="primary" href={`/${organizationSlug}/projects/new`}>
              Create a project
            </ButtonLink>
          ) : null
        }
      >
        {canCreate
          ? 'A project is one program that sends its errors here. Creating one gives you the DSN that its SDK needs.'
          : 'A project is one program that sends its errors here. Ask an admin of the organization to create one.'}
      </EmptyState>
    </>
  );
}
