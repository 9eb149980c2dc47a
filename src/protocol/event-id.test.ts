import { expect, test } from 'vitest';
import { parseEventId } from './event-id.ts';

const ID = '9ec79c33ec9942ab8353589fcb2e04dc';

test.each([[ID], [ID.toUpperCase()], ['9ec79c33-ec99-42ab-8353-589fcb2e04dc'], [` ${ID} `]])(
  '%s is read',
  (sent) => {
    expect(parseEventId(sent)).toBe(ID);
  },
);

test.each([['9ec79c33'], [`${ID}0`], ['0'.repeat(32)], ['9ec79c33ec99-42ab-8353-589fcb2e04dc'], [7], [null]])(
  '%s is no event id',
  (sent) => {
    expect(parseEventId(sent)).toBeNull();
  },
);
