import {
  filterEntries,
  firstValue,
  type PageFilters,
  parsePageFilters,
  type SearchParams,
  withQuery,
} from '#app/url-state.ts';
import { asOneTerm } from '#product/search/syntax/as-one-term.ts';

/** Spam is archived for good: nothing brings it back. */
export const MAILBOXES = {
  unresolved: 'is:unresolved',
  resolved: 'is:resolved',
  spam: 'is:archived',
} as const;
export type Mailbox = keyof typeof MAILBOXES;

/** What the inbox shows; all of it stands in the URL. */
export type FeedbackState = {
  filters: PageFilters;
  mailbox: Mailbox;
  search: string;
  cursor: string | null;
};

export function parseFeedbackState(params: SearchParams): FeedbackState {
  const status = firstValue(params, 'status') ?? '';
  return {
    filters: parsePageFilters(params),
    mailbox: status === 'resolved' || status === 'spam' ? status : 'unresolved',
    search: firstValue(params, 'query') ?? '',
    cursor: firstValue(params, 'cursor') || null,
  };
}

/** The search of issues that finds what the state shows. */
export const queryOf = ({ mailbox, search }: FeedbackState): string =>
  ['issue.category:feedback', MAILBOXES[mailbox], asOneTerm(search)].filter(Boolean).join(' ');

/** The address of a state; defaults are left out. A change of anything but the cursor starts at the first page. */
export function feedbackHref(
  organizationSlug: string,
  state: FeedbackState,
  change: Partial<FeedbackState> = {},
): string {
  const next = { ...state, cursor: null, ...change };
  return withQuery(`/${organizationSlug}/feedback`, {
    ...filterEntries(next.filters),
    query: next.search || null,
    status: next.mailbox === 'unresolved' ? null : next.mailbox,
    cursor: next.cursor,
  });
}
