import { type PageAddress, pageAddress } from './page-address.ts';

/** Below `/settings/account/`. */
export function accountPage([area, ...rest]: readonly string[]): PageAddress {
  switch (area) {
    case 'security':
      return pageAddress(['account', rest[0] === 'session-history' ? 'sessions' : 'security']);
    case 'identities':
      return pageAddress(['account', 'security']);
    case 'notifications':
      return pageAddress(['account', 'notifications']);
    case 'api':
      return pageAddress(['account', 'tokens']);
    default:
      return pageAddress(['account']);
  }
}
