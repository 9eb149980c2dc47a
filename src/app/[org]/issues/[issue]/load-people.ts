import { cache } from 'react';
import { getIssuePeople } from '#product/issue-user-state/user-state.ts';

/** The people around an issue stand in its header and below it: read once for both. */
export const loadPeople = cache(getIssuePeople);
