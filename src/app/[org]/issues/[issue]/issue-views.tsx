import { TabLinks } from '#ui/tabs.tsx';

const VIEWS = [
  { view: 'details', path: '', label: 'Details' },
  { view: 'events', path: '/events', label: 'Events' },
  { view: 'tags', path: '/tags', label: 'Tags' },
  { view: 'attachments', path: '/attachments', label: 'Attachments' },
  { view: 'feedback', path: '/feedback', label: 'Feedback' },
  { view: 'activity', path: '/activity', label: 'Activity' },
  { view: 'similar', path: '/similar', label: 'Similar' },
  { view: 'grouping', path: '/grouping', label: 'Grouping' },
] as const;

export type IssueView = (typeof VIEWS)[number]['view'];

/** The views of an issue, each with its own address. */
export function IssueViews({ issueHref, current }: { issueHref: string; current: IssueView }) {
  return (
    <div className="mb-4 border-b">
      <TabLinks
        label="Issue views"
        tabs={VIEWS.map(({ view, path, label }) => ({
          href: `${issueHref}${path}`,
          label,
          isCurrent: view === current,
        }))}
      />
    </div>
  );
}
