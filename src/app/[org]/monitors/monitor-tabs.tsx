import { TabLinks } from '#ui/tabs.tsx';

/** The kinds of monitors, each with a list of its own. */
export function MonitorTabs({
  organizationSlug,
  current,
}: {
  organizationSlug: string;
  current: 'crons' | 'uptime';
}) {
  return (
    <div className="mb-4 border-b">
      <TabLinks
        label="Monitors"
        tabs={[
          { href: `/${organizationSlug}/monitors/uptime`, label: 'Uptime', isCurrent: current === 'uptime' },
        ]}
      />
    </div>
  );
}
