'use server';

import { z } from 'zod';
import { formAction } from '#app/forms/action.ts';
import { updateFeedbackForm } from '#product/feedback/feedback-form.ts';
import { FEEDBACK_FIELDS } from './feedback-fields.ts';

export const saveFeedbackFormAction = formAction({
  fields: FEEDBACK_FIELDS,
  place: z.strictObject({ projectSlug: z.string().max(100) }),
  save: (ctx, { isEnabled }, { projectSlug }) => updateFeedbackForm(ctx, { projectSlug, isEnabled }),
});
