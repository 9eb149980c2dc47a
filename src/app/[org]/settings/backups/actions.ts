'use server';

import { z } from 'zod';
import { action, formAction } from '#app/forms/action.ts';
import { requestBackup, updateBackupSchedule } from '#product/backups/backup-settings.ts';
import { parseTimeOfDay, SCHEDULE_FIELDS } from './backup-fields.ts';

export const saveBackupScheduleAction = formAction({
  fields: SCHEDULE_FIELDS,
  place: z.null(),
  save: (ctx, { isOn, folder, time, keep }) =>
    updateBackupSchedule(ctx, { isOn, folder: folder || null, minuteOfDay: parseTimeOfDay(time), keep }),
});

export const requestBackupAction = action({
  input: z.null(),
  run: requestBackup,
  revalidates: '/settings/backups',
});
