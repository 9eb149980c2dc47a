import type { FilterReason } from '../filter/filters.ts';
import type { ItemContext } from '../item.ts';
import { AUTO_IP, parseIpAddress } from '../normalize/ip-address.ts';
import type { SessionAttributes } from './session-attributes.ts';

/** The inbound filter that a session meets, by what it says of its user and release; null lets it through. */
export function filterSession(attributes: SessionAttributes, context: ItemContext): FilterReason | null {
  const { ipAddress, release, userAgent } = attributes;
  const address = ipAddress === AUTO_IP ? context.clientIp : ipAddress;
  return context.rules.filters.filterSender(
    { release, userAgent, ipAddress: address === null ? null : parseIpAddress(address) },
    context,
  );
}
