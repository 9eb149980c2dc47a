import { type PageAddress, pageAddress } from './page-address.ts';

/** Below `/organizations/[org]/alerts/`: a rule is a rule here, whether it looks at issues or at a metric. */
export function alertPage(org: string, [area = '', first, second, third]: readonly string[]): PageAddress {
  const list = pageAddress([org, 'alerts']);
  switch (area) {
    case 'rules':
      if (first === 'details' && second !== undefined) return pageAddress([org, 'alerts', second]);
      // Of scheduled checks, which are no rules.
      if (first === 'uptime' || first === 'crons' || second === undefined) return list;
      return pageAddress([org, 'alerts', second, ...(third === 'details' ? [] : ['edit'])]);
    case 'metric-rules':
      return second === undefined ? list : pageAddress([org, 'alerts', second, 'edit']);
    case 'wizard':
      return pageAddress([org, 'alerts', 'new']);
    case 'new':
      return pageAddress([org, 'alerts', 'new'], first === 'metric' ? 'template=events' : '');
    default:
      return first === 'new' || first === 'wizard'
        ? pageAddress([org, 'alerts', 'new'], `project=${encodeURIComponent(area)}`)
        : list;
  }
}
