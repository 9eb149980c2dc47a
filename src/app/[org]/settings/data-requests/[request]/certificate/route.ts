import { withSession } from '#app/with-session.ts';
import { getCertificate } from '#product/data-requests/certificate.ts';

export const dynamic = 'force-dynamic';

export const GET = withSession<{ org: string; request: string }>(async ({ ctx, params: { request } }) => {
  const certificate = await getCertificate(ctx, Number(request));
  return new Response(`${JSON.stringify(certificate, null, 2)}\n`, {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="errata-erasure-certificate-${certificate.request}.json"`,
      'cache-control': 'no-store',
    },
  });
});
