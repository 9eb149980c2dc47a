import { SearchX } from 'lucide-react';
import { ButtonLink } from '#ui/button-link.tsx';
import { EmptyState } from '#ui/empty-state.tsx';

/** What stands in place of something that does not exist, or not for this reader. */
export function NotFoundState() {
  return (
    <EmptyState
      icon={<SearchX />}
      title="There is no such page"
      actions={
        <ButtonLink href="/" variant="primary">
          Go to your issues
        </ButtonLink>
      }
    >
      <p>
        The address is wrong, what it named is gone, or it belongs to an organization that you are not a
        member of. Check the address, or ask whoever sent it.
      </p>
    </EmptyState>
  );
}
