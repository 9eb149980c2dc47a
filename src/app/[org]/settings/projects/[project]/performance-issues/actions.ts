'use server';

import { z } from 'zod';
import { formAction } from '#app/forms/action.ts';
import { updateDetectionSettings } from '#product/performance-issues/detection-settings.ts';
import { PERFORMANCE_ISSUE_TYPES } from '#protocol/performance-issue.ts';
import { DETECTOR_FIELDS } from './detector-fields.ts';

export const saveDetectionAction = formAction({
  fields: DETECTOR_FIELDS,
  place: z.strictObject({ projectSlug: z.string().max(100) }),
  save: (ctx, { isEnabled, ...detectors }, { projectSlug }) => {
    const disabledDetectors = PERFORMANCE_ISSUE_TYPES.filter((type) => !detectors[type]);
    return updateDetectionSettings(ctx, { projectSlug, change: { isEnabled, disabledDetectors } });
  },
});
