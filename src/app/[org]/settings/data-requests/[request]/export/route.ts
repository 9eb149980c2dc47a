import { answerDownload } from '#app/answer-download.ts';
import { withSession } from '#app/with-session.ts';
import { openExport } from '#product/data-requests/data-requests.ts';

export const dynamic = 'force-dynamic';

/** The archive, for who requested it. */
export const GET = withSession<{ org: string; request: string }>(async ({ ctx, params: { request } }) => {
  const { content, bytes, fileName } = await openExport(ctx, Number(request));
  return answerDownload({ content, bytes }, { name: fileName, contentType: 'application/gzip' });
});
