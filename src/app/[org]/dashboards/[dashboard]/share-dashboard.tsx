'use client';

import { ShareDialog, type ShareView } from '#app/sharing/share-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { shareDashboardAction, stopSharingDashboardAction } from '../dashboard-actions.ts';

/** Makes a public page of the dashboard, of the projects that were saved with it. */
export function ShareDashboard({
  organizationSlug,
  dashboardId,
  sharing,
  projects,
}: {
  organizationSlug: string;
  dashboardId: number;
  sharing: ShareView;
  /** Those that everybody would see. */
  projects: readonly string[];
}) {
  return (
    <ShareDialog
      trigger={<Button>Share</Button>}
      title="Share this dashboard publicly"
      description="Anyone with the link can see the title and what the widgets show, rows of lists included. They see no searches, no other page, and nothing of other projects."
      sharing={sharing}
      obstacle={
        projects.length === 0 ? (
          <Notice title="Choose projects first">
            Select the projects that the link may show at the top of the dashboard, then choose “Save
            filters”.
          </Notice>
        ) : null
      }
      create={async (days) => {
        const answer = await shareDashboardAction(organizationSlug, { id: dashboardId, days });
        return answer.ok ? answer : { ...answer, message: `${answer.message}.` };
      }}
      stop={() => stopSharingDashboardAction(organizationSlug, dashboardId)}
    >
      <p className="break-anything text-sm">Projects shown: {projects.join(', ')}</p>
    </ShareDialog>
  );
}
