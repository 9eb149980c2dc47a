import { Bug, CircleDot, Database, Globe, MousePointerClick, Navigation, SquareTerminal } from 'lucide-react';
import { type BreadcrumbKinds, BreadcrumbRows } from './breadcrumb-rows.tsx';
import type { BreadcrumbView } from './breadcrumb-view.ts';

/** What the program did before the event, newest first. The index of a breadcrumb is appended to `valuesHref`. */
export function BreadcrumbList(props: {
  crumbs: readonly BreadcrumbView[];
  eventAt: number;
  valuesHref: string;
}) {
  return <BreadcrumbRows {...props} kinds={KINDS} />;
}

/** How each kind is shown. Drawn on the server, so that the page loads no script for the icons. */
const KINDS: BreadcrumbKinds = {
  http: { label: 'HTTP', icon: <Globe aria-hidden /> },
  navigation: { label: 'Navigation', icon: <Navigation aria-hidden /> },
  ui: { label: 'User action', icon: <MousePointerClick aria-hidden /> },
  log: { label: 'Log', icon: <SquareTerminal aria-hidden /> },
  query: { label: 'Query', icon: <Database aria-hidden /> },
  error: { label: 'Error', icon: <Bug aria-hidden /> },
  other: { label: 'Other', icon: <CircleDot aria-hidden /> },
};
