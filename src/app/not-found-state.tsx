import { SearchX } from 'lucide-react';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

/** What stands in place of something that does not exist, or not for this reader. */
export function NotFoundState() {
  return (
    <EmptyState
      icon={<SearchX />}
      level={1}
      title="Page not found"
      actions={
        <ButtonLink href="/" variant="primary">
          Go to your issues
        </ButtonLink>
      }
    >
      <p>
        The address may be wrong, the page may have been deleted, or it belongs to an organization that you
        are not a member of. Check the address, or ask whoever sent it.
      </p>
    </EmptyState>
  );
}
