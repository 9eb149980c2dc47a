import { Button } from '#ui/button.tsx';
import { Kbd } from '#ui/kbd.tsx';

/** At the end of a search field: its key, or once the text has changed, the button that searches. */
export function SearchHint({ isChanged }: { isChanged: boolean }) {
  return isChanged ? (
    <Button type="submit" size="sm" variant="ghost">
      Search
    </Button>
  ) : (
    <span className="hidden sm:block">
      <Kbd>/</Kbd>
    </span>
  );
}
