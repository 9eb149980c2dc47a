import { Bug, CircleDot, Database, Globe, MousePointerClick, Navigation, SquareTerminal } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BreadcrumbKind } from '#product/events/read-breadcrumb.ts';
import { BreadcrumbRows } from './breadcrumb-rows.tsx';
import type { BreadcrumbView } from './breadcrumb-view.ts';

/** What the program did before the event, newest first. The index of a breadcrumb is appended to `valuesHref`. */
export function BreadcrumbList(props: {
  crumbs: readonly BreadcrumbView[];
  eventAt: number;
  valuesHref: string;
}) {
  return <BreadcrumbRows {...props} icons={ICONS} />;
}

/** Drawn on the server, so that the page loads no script for them. */
const ICONS: Readonly<Record<BreadcrumbKind, ReactNode>> = {
  http: <Globe aria-hidden />,
  navigation: <Navigation aria-hidden />,
  ui: <MousePointerClick aria-hidden />,
  log: <SquareTerminal aria-hidden />,
  query: <Database aria-hidden />,
  error: <Bug aria-hidden />,
  other: <CircleDot aria-hidden />,
};
