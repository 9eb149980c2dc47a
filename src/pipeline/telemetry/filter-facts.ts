import type { ItemFacts } from '../filter/filters.ts';
import type { AttributeSet } from './attributes.ts';

/** What inbound filters look at, from the attributes of an element as they were before scrubbing. */
export const filterFactsOf = (attributes: AttributeSet, release: string | null): ItemFacts => ({
  release,
  userAgent: attributes.text('user_agent.original') ?? null,
  ipAddress: attributes.text('client.address', 'user.ip_address') ?? null,
  url: attributes.text('url.full', 'http.url') ?? null,
});
