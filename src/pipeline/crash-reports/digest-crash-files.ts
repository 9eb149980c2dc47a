import { attachmentRow } from '../attachments/digest-attachment.ts';
import { digestUserReport } from '../feedback/digest-feedback.ts';
import { accepted, type ItemContext, type ItemResult, NOTHING, type RawItem } from '../item.ts';
import { rowIdOf } from '../telemetry/row-identity.ts';

/** The files of a crash report as attachments of its event, and what the user wrote as feedback; null without either. */
export function digestCrashFiles(item: RawItem, context: ItemContext): ItemResult | null {
  if (item.crash?.kind !== 'crash') return null;
  const { files, userReport } = item.crash;
  if (files.length === 0 && !userReport) return null;
  const attachments = files.map((file, index) =>
    attachmentRow({ ...file, attachmentId: rowIdOf(item.itemId, index) }, context),
  );
  const report = userReport ? reportOf(userReport, item, context) : NOTHING;
  return {
    ...NOTHING,
    rows: { ...report.rows, ...(attachments.length > 0 && { attachments }) },
    outcomes: [
      ...(attachments.length > 0 ? accepted('attachment', {}, attachments.length).outcomes : []),
      ...report.outcomes,
    ],
  };
}

function reportOf(
  { name, comments }: { name: string | null; comments: string },
  item: RawItem,
  context: ItemContext,
): ItemResult {
  const payload = Buffer.from(JSON.stringify({ event_id: context.envelopeEventId, name, comments }));
  return digestUserReport(
    { ...item, type: 'user_report', payload, blob: null, crash: null, itemId: rowIdOf(item.itemId, -1) },
    context,
  );
}
